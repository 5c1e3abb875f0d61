// The shapes of get-report and get-reports.
import { id, members, moment, page, pageIfGiven, rowCount } from '../contract/habits.ts';
import { about, Type } from '../contract/type.ts';
import { limits } from '../limits.ts';
import { messageStatuses } from '../orders/states.ts';

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
