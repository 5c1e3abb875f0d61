// Contract of the panel: messages from phones to numbers that no account has.
import { Type } from '../../contract/type.ts';
import { id, maybe, someText, text, time } from '../contract/fields.ts';
import { nothing, type Operations } from '../contract/shapes.ts';

export const staffUnroutedOperations = {
  /** The newest messages, and the numbers they were written to. */
  'staff.unrouted': {
    input: nothing,
    output: Type.Object({
      numbers: Type.Array(
        Type.Object({
          number: Type.String(),
          messages: Type.Number(),
          lastAt: Type.String(),
          firstWord: Type.String(),
        }),
      ),
      messages: Type.Array(
        Type.Object({
          key: Type.String(),
          number: Type.String(),
          from: Type.String(),
          text: Type.String(),
          receivedAt: Type.String(),
        }),
      ),
      /** If false, there are older ones. */
      isComplete: Type.Boolean(),
    }),
  },
  /** Account `id` gets the number, or a keyword on it, and its stored messages. */
  'staff.assignUnrouted': {
    input: Type.Object({ id: id(), number: someText(20), keyword: maybe(text(20)) }),
    output: Type.Object({
      routed: Type.Number(),
      /** If false, more messages remain: assign it again. */
      isComplete: Type.Boolean(),
    }),
  },
  /** Deletes messages to a number received until a time, so that unseen ones stay. */
  'staff.deleteUnrouted': {
    input: Type.Object({ number: text(20), until: time() }),
    output: Type.Object({ deleted: Type.Number() }),
  },
} satisfies Operations;
