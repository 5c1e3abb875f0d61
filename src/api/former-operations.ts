// Operations that only old published clients still call. No document and no list of tools mentions them. Each gets an answer in
// its own form, so that such a client shows its user the reason instead of "unknown operation".
import { asGiven, members } from '../contract/habits.ts';
import { Type } from '../contract/type.ts';
import { senderProblem } from '../senders/senders.ts';
import { Refusal } from '../status.ts';
import { type Operation, operation } from './operations.ts';

const originator = Type.Object({
  originator: Type.Optional(members({ sender: Type.Optional(asGiven(Type.String())) })),
});

export const formerOperations: Operation[] = [
  operation({
    name: 'get-settings',
    path: 'get-settings',
    en: 'Answers that there are no settings here.',
    tr: 'Burada ayar olmadığını söyler.',
    request: Type.Object({}),
    answer: Type.Object({ settings: Type.Object({}) }),
    codes: [],
    handler: async () => ({ settings: {} }),
  }),
  operation({
    name: 'add-sender',
    path: 'add-sender',
    en: 'Says where a sender ID is applied for: with its documents, in the panel.',
    tr: 'Başlığa nereden başvurulacağını söyler: belgeleriyle, panelde.',
    request: originator,
    answer: null,
    codes: [422, 450],
    async handler(_call, { originator: given }) {
      const name = given?.sender;
      if (typeof name !== 'string' || senderProblem(name) !== null) throw new Refusal(450);
      throw new Refusal(422, { sender: 'Başlık başvurusu belgeleriyle birlikte panelden yapılır.' });
    },
  }),
];
