// The shapes of send-sms, cancel-order, get-report and get-reports.

import type { OrderDraft } from '../accept/draft.ts';
import { recipientTypes } from '../consent/record.ts';
import {
  asGiven,
  id,
  isNothing,
  isoDatePattern,
  listForms,
  members,
  moment,
  oneOf,
  page,
  pageIfGiven,
  readList,
  readMoment,
  readText,
  rowCount,
} from '../contract/habits.ts';
import { lenient } from '../contract/lenient.ts';
import { asMembers, own } from '../contract/reader.ts';
import { about, type TSchemaOptions, Type } from '../contract/type.ts';
import { limits } from '../limits.ts';
import { messageStatuses } from '../orders/states.ts';
import type { Mode } from '../text/prepare.ts';
import { fromTurkeyTime } from '../time/clock.ts';

const number = Type.Union([Type.String({ examples: ['+90 555 000 00 00'] }), Type.Integer()]);
const recipients = Type.Union(
  [...listForms(number, { minItems: 1, maxItems: limits.recipientsPerOrder }), Type.String(), Type.Integer()],
  {
    ...about(
      '1 to 50,000 numbers; commas or semicolons inside one separate several, each counted',
      '1–50.000 numara; birinin içindeki virgül ya da noktalı virgül birkaç numarayı ayırır, her biri sayılır',
    ),
  },
);

// Read by hand, because there may be 50,000 personal texts; their numbers are checked later.
const textWithRecipients = lenient(
  Type.Object({
    text: Type.Union([Type.String(), Type.Number()], {
      ...about(
        '`message` may also be a list, each entry with its own text and recipients',
        '`message` her öğesinin metni ve alıcıları ayrı olan bir liste de olabilir',
      ),
    }),
    receipents: Type.Object({ number: recipients }),
  }),
  (value): OrderDraft['texts'][number] => {
    const message = asMembers(value) ?? {};
    const number = own(asMembers(own(message, 'receipents')) ?? {}, 'number');
    return {
      text: readText(own(message, 'text')),
      recipients: readList(number) ?? (isNothing(number) ? [] : [number]),
    };
  },
);

const readEntry = textWithRecipients['~read'];
const message = lenient(Type.Union([textWithRecipients, ...listForms(textWithRecipients)]), value =>
  (readList(value) ?? [value]).map(readEntry),
);

const dayFirst = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?$/;
const sendTimeForms = [
  Type.String({ pattern: '^\\s*\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}(:\\d{2})?\\s*$', examples: ['01/05/2026 10:00'] }),
  Type.String({ pattern: isoDatePattern }),
  Type.Literal(''),
  Type.Null(),
] as const;

/** When an order is sent: null means now. Published examples use all four spellings; one client sends a list of one. */
const sendTime = (options: TSchemaOptions) =>
  lenient(
    Type.Union([...sendTimeForms, ...listForms(Type.Union([...sendTimeForms]), { maxItems: 1 })], options),
    readSendTime,
  );

function readSendTime(value: unknown): Date | null | 'malformed' {
  const list = readList(value);
  const given = list && list.length <= 1 ? list[0] : value;
  if (isNothing(given)) return null;
  if (typeof given !== 'string') return 'malformed';
  const text = given.trim();
  const match = dayFirst.exec(text);
  if (match) {
    const [day, month, year, hour, minute, second] = match.slice(1).map(part => Number(part ?? 0));
    return fromTurkeyTime(year!, month!, day!, hour!, minute!, second!) ?? 'malformed';
  }
  const moment = readMoment(text);
  return moment && !moment.wholeDay && text[10] === ' ' ? moment.time : 'malformed';
}

const consentChecks = new Map<unknown, boolean>([
  ['0', false],
  [0, false],
  [false, false],
  ['1', true],
  [1, true],
  [true, true],
]);
const consentCheck = lenient(
  Type.Union([Type.Enum(['0', '1']), Type.Enum([0, 1]), Type.Boolean(), Type.Literal(''), Type.Null()], {
    ...about(
      '"1" checks consent (commercial message), "0" or absent does not',
      '"1" izni denetler (ticari ileti), "0" ya da yokluğu denetlemez',
    ),
  }),
  (value): boolean | 'unclear' => (isNothing(value) ? false : (consentChecks.get(value) ?? 'unclear')),
);

/** Old clients choose the mode for each order; any other value leaves the choice to the account. */
const modes = new Map<unknown, Mode>([
  ['utf8', 'unicode'],
  ['gsm0338-tr', 'turkish'],
  ['gsm0338', 'english'],
]);
const encoding = lenient(
  Type.Enum(['utf8', 'gsm0338-tr', 'gsm0338'], {
    ...about(
      'Unicode, Turkish or English for this order; absent = the mode of the account',
      'bu sipariş için Unicode, Türkçe ya da İngilizce; yoksa hesabın modu',
    ),
  }),
  value => modes.get(value),
);

// This schema reads an order in 0.9 µs (0.5 by hand), of 75 to 90 µs that a send costs in this process, for one recipient as
// for 50,000; 50,000 personal texts take 9.3 ms either way.
export const sendSmsRequest = Type.Object({
  order: members({
    sender: asGiven(
      Type.String({
        maxLength: limits.senderLength,
        ...about(
          'an approved sender ID, or APITEST while none is approved',
          'onaylı bir başlık ya da hiç onaylı başlık yokken APITEST',
        ),
      }),
    ),
    message,
    sendDateTime: Type.Optional(
      sendTime(
        about(
          'DD/MM/YYYY HH:MM (also with seconds, also YYYY-MM-DD HH:MM[:SS]); absent or empty = now',
          'GG/AA/YYYY SS:DD (saniyeyle de, YYYY-AA-GG SS:DD[:SS] de olur); yoksa ya da boşsa hemen',
        ),
      ),
    ),
    iys: Type.Optional(consentCheck),
    iysList: Type.Optional(oneOf(recipientTypes, about('required with iys 1', 'iys 1 ise zorunlu'))),
    encoding: Type.Optional(encoding),
  }),
});

const digits = () => Type.String({ pattern: '^[0-9]+$', examples: ['100000001'] });

export const sendSmsAnswer = Type.Object({ order: Type.Object({ id: digits(), orderId: digits() }) });

export const cancelRequest = Type.Object({ order: members({ id: id() }) });

export const rows = () =>
  rowCount(limits.rowsPerPage, { 'x-also': 'row_count', ...about('at most 1000', 'en çok 1000') });

export const reportRequest = Type.Object({
  order: members({ id: id(), page: Type.Optional(page()), rowCount: Type.Optional(rows()) }),
});

const pageOfOrders = () =>
  pageIfGiven({
    default: 1,
    ...about('30 orders a page; may also stand beside `filter`', 'sayfada 30 sipariş; `filter` yanında da durabilir'),
  });

export const reportsRequest = Type.Object({
  filter: members({
    start: moment(about('YYYY-MM-DD, also with a time', 'YYYY-AA-GG, saatle de olur')),
    end: moment(about('the same, at most 10 days after start', 'aynı biçimde, başlangıçtan en çok 10 gün sonra')),
    page: Type.Optional(pageOfOrders()),
  }),
  page: Type.Optional(pageOfOrders()),
});

/** Times as answers write them. */
export const turkeyTime = () =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2026-05-01 10:00:00'],
    ...about('Turkey local time', 'Türkiye saati'),
  });

/** What both answers say of an order, beside its id. */
export const orderSummary = {
  status: Type.Enum([113, 114, 115], {
    ...about(
      '113 under way, 114 finished (look at the counters), 115 failed or cancelled',
      '113 sürüyor, 114 bitti (sayaçlara bakın), 115 başarısız ya da iptal',
    ),
  }),
  total: Type.Integer(),
  delivered: Type.Integer(),
  undelivered: Type.Integer(),
  waiting: Type.Integer(),
  submitAt: turkeyTime(),
  sendAt: turkeyTime(),
  sender: Type.String(),
};

export const reportAnswer = Type.Object({
  order: Type.Object({
    id: Type.String({ pattern: '^[0-9]+$' }),
    ...orderSummary,
    price: Type.Integer({
      ...about(
        'credits consumed, plus what is reserved for waiting messages',
        'harcanan kredi ve bekleyen iletiler için ayrılan',
      ),
    }),
    message: Type.Array(
      Type.Object({
        number: Type.String({
          ...about(
            'with +90; a bad one as it was given, at most 20 characters',
            '+90 ile; hatalı olan verildiği gibi, en çok 20 karakter',
          ),
        }),
        status: Type.Enum(messageStatuses, {
          ...about(
            '110 being sent, 111 delivered, 112 not delivered',
            '110 gönderiliyor, 111 iletildi, 112 iletilemedi',
          ),
        }),
      }),
    ),
  }),
});

export const reportsAnswer = Type.Object({
  count: Type.Integer({ ...about('orders in the range', 'aralıktaki sipariş sayısı') }),
  orders: Type.Array(Type.Object({ id: Type.Integer(), ...orderSummary })),
});
