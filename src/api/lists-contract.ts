// The shapes of get-balance, get-sender, the blacklist's three operations and get-inbox.
import { asGiven, type Moment, members, momentIfGiven, page } from '../contract/habits.ts';
import { about, Type } from '../contract/type.ts';
import { rows, turkeyTime } from './orders-contract.ts';

const time = () => Type.Optional(momentIfGiven(about('date, with or without time', 'tarih, saatle ya da saatsiz')));

const pagedFilter = () =>
  members({
    filter: Type.Optional(members({ start: time(), end: time() })),
    page: Type.Optional(page()),
    rowCount: Type.Optional(rows()),
  });

export type TimeFilter = { start: Moment | null | 'malformed'; end: Moment | null | 'malformed' };

export const noRequest = Type.Object({});

export const balanceAnswer = Type.Object({
  balance: Type.Object({
    amount: Type.Number({ ...about('money', 'para') }),
    sms: Type.Integer({ ...about('credit that can still be spent', 'harcanabilir kredi') }),
  }),
});

export const senderAnswer = Type.Object({
  senders: Type.Object({
    sender: Type.Array(Type.String(), {
      ...about(
        'approved sender IDs; empty when there is none, then APITEST may be used',
        'onaylı başlıklar; hiç yoksa boştur, o zaman APITEST kullanılır',
      ),
    }),
  }),
});

export const blacklistRequest = Type.Object({ blacklist: Type.Optional(pagedFilter()) });

const count = () => Type.Integer({ ...about('what the filter matches', 'süzgece uyanların sayısı') });
const numberAnswered = () => Type.String({ examples: ['+905550000000'] });

export const blacklistAnswer = Type.Object({
  blacklist: Type.Object({
    count: count(),
    number: Type.Array(numberAnswered(), { ...about('this page, oldest first', 'bu sayfa, en eskisi önce') }),
  }),
});

export const oneNumberRequest = Type.Object({
  blacklist: members({
    number: asGiven(
      Type.Union([Type.String({ examples: ['+90 555 000 00 00'] }), Type.Integer()], {
        ...about('one number', 'bir numara'),
      }),
    ),
  }),
});

export const inboxRequest = Type.Object({ inbox: Type.Optional(pagedFilter()) });

export const inboundMessage = () =>
  Type.Object({
    id: Type.Integer(),
    number: Type.String({ ...about('who wrote', 'yazan'), examples: ['+905550000000'] }),
    to: Type.String({ ...about('the number written to', 'yazılan numara') }),
    text: Type.String(),
    receivedAt: turkeyTime(),
  });

export const inboxAnswer = Type.Object({
  inbox: Type.Object({
    count: count(),
    message: Type.Array(inboundMessage(), { ...about('newest first', 'en yenisi önce') }),
  }),
});
