// The shapes of consent/create and consent/show.
import { consentSources, consentStatuses, consentTypes, recipientTypes } from '../consent/record.ts';
import { id, listForms, members, oneOf, readList, readText, text } from '../contract/habits.ts';
import { lenient } from '../contract/lenient.ts';
import { about, type TSchemaOptions, Type } from '../contract/type.ts';
import { limits } from '../limits.ts';
import { turkeyTime } from './orders-contract.ts';

const recipient = () => text(about('number or e-mail address', 'numara ya da e-posta adresi'));

/** Read as a string: the domain checks the words and reports all wrong ones together. */
const word = <const V extends string[]>(values: readonly [...V], options?: TSchemaOptions) =>
  lenient(Type.Enum(values, options), readText);

const record = members({
  recipient: recipient(),
  recipientType: word(recipientTypes),
  type: word(consentTypes),
  status: word(consentStatuses),
  source: word(consentSources),
  consentDate: text({
    examples: ['2026-05-01 10:00:00'],
    ...about(
      'YYYY-MM-DD HH:MM:SS, Turkey time, at most 3 days old',
      'YYYY-AA-GG SS:DD:SS, Türkiye saati, en çok 3 gün önce',
    ),
  }),
});

export const readRecord = record['~read'];

// The handler reads records one by one, so that an account without a subscription is refused before its records are read.
const records = lenient(
  Type.Union([...listForms(record, { minItems: 1, maxItems: limits.consentsPerRequest })], {
    ...about('1 to 5,000 records, stored all or none', '1–5.000 kayıt; ya tümü saklanır ya hiçbiri'),
  }),
  value => readList(value) ?? [],
);

export const createRequest = Type.Object({ consent: members({ brandCode: id(), list: records }) });

export const showRequest = Type.Object({
  consent: members({
    brandCode: id(),
    recipient: recipient(),
    recipientType: oneOf(recipientTypes),
    type: oneOf(consentTypes),
  }),
});

export const showAnswer = Type.Object({
  consent: Type.Object({
    brandCode: Type.Integer(),
    recipient: Type.String({ examples: ['+905550000000'] }),
    recipientType: Type.Enum(recipientTypes),
    type: Type.Enum(consentTypes),
    status: Type.Enum(consentStatuses),
    source: Type.String({ examples: ['HS_WEB'] }),
    consentDate: turkeyTime(),
  }),
});
