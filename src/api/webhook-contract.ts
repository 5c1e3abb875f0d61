// Schemas of the webhook bodies that docs/webhooks.md describes.
import { about, Type } from '../contract/type.ts';
import { exampleBody, reportBody } from '../webhooks/payload.ts';
import { inboundMessage } from './lists-contract.ts';
import { turkeyTime } from './orders-contract.ts';

export const webhooks = {
  report: {
    en: 'What becomes of a message: accepted, then delivered or undelivered.',
    tr: 'Bir iletinin başına gelen: accepted, ardından delivered ya da undelivered.',
    body: reportBody,
    example: exampleBody('delivered'),
  },
  inbound: {
    en: 'A message that somebody wrote to the account; only if switched on.',
    tr: 'Hesaba yazılan bir ileti; yalnızca açıksa.',
    body: Type.Object({ inbound: inboundMessage() }),
    example: exampleBody('inbound'),
  },
  test: {
    en: 'The test event of the panel.',
    tr: 'Paneldeki deneme olayı.',
    body: Type.Object({ test: Type.Object({ id: Type.Integer(), sentAt: turkeyTime() }) }),
    example: exampleBody('test'),
  },
};

export const webhookHeaders = {
  'webhook-id': about(
    'the value of X-Peyk-Delivery, by its name in Standard Webhooks',
    'X-Peyk-Delivery değeri, Standard Webhooks adıyla',
  ),
  'webhook-timestamp': about('the value of X-Peyk-Timestamp', 'X-Peyk-Timestamp değeri'),
  'webhook-signature': about(
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two, separated by a blank, while a secret is being rotated',
    '`v1,` ve `id.timestamp.body` için HMAC-SHA256, base64; gizli anahtar değişirken boşlukla ayrılmış iki değer',
  ),
  'X-Peyk-Delivery': about(
    'one value per event and address, the same on every repeat',
    'her olay ve adres için bir değer, her yinelemede aynı',
  ),
  'X-Peyk-Timestamp': about('Unix time of this attempt in seconds', 'bu denemenin Unix zamanı, saniye'),
  'X-Peyk-Signature': about(
    '`v1=` and the HMAC-SHA256 of `timestamp.body` in hex; two, separated by a comma, while a secret is being rotated',
    '`v1=` ve `timestamp.body` için HMAC-SHA256, onaltılık; gizli anahtar değişirken virgülle ayrılmış iki değer',
  ),
};
