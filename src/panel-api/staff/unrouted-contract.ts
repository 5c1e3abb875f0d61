// The panel's contract: messages from phones to numbers that no account has.
import { Type } from '../../contract/type.ts';
import { id, maybe, someText, text, time } from '../fields.ts';
import { nothing, type Operations } from '../shapes.ts';

export const staffUnroutedOperations = {
  /** The newest of them, and the numbers they were written to. */
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
      /** Otherwise there are older ones. */
      isComplete: Type.Boolean(),
    }),
  },
  /** The account `id` gets the number, or a keyword on it, and what was written to it. */
  'staff.assignUnrouted': {
    input: Type.Object({ id: id(), number: someText(20), keyword: maybe(text(20)) }),
    output: Type.Object({
      routed: Type.Number(),
      /** Otherwise more of them wait: assign it again. */
      isComplete: Type.Boolean(),
    }),
  },
  /** Those to a number that were received until a moment, so that nobody deletes what nobody has seen. */
  'staff.deleteUnrouted': {
    input: Type.Object({ number: text(20), until: time() }),
    output: Type.Object({ deleted: Type.Number() }),
  },
} satisfies Operations;
