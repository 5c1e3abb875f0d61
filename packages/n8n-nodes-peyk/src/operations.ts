// The operations of the interface as n8n shows them: fields of the form, members of the request, items of the result.
import type { Choice, Json, Property, Value } from './host.ts';

/** Reads a field of the node for the current item. */
export type Read = (name: string) => Value;
export type Field = Omit<Property, 'displayOptions'>;

export type Operation = Choice & {
  path: string;
  fields: Field[];
  /** Members of `request` beside the credentials. */
  members(read: Read): Json;
  /** The items of the result: rows of a page, or the whole answer as one item. */
  items(response: Json): Json[];
  /** Rows of a full page, if there are several pages. */
  rowsPerPage?: number;
  /** The operation sends, so it carries an idempotency key. */
  sends?: true;
};

const field = (displayName: string, name: string, type: Property['type'], rest: Partial<Field> = {}): Field => ({
  displayName,
  name,
  type,
  default: type === 'number' ? 1 : type === 'boolean' ? false : '',
  ...rest,
});

const choice = (value: string, name = value): Choice => ({ name, value });
const chosen = (displayName: string, name: string, values: Choice[]): Field =>
  field(displayName, name, 'options', { options: values, default: values[0]!.value });

const number = field('Number', 'number', 'string', { required: true, placeholder: '+90 555 000 00 00' });
const orderId = field('Order ID', 'orderId', 'string', { required: true });
const returnAll = field('Return All', 'returnAll', 'boolean', { description: 'Whether to return every page' });
const range = [field('From', 'start', 'dateTime'), field('To', 'end', 'dateTime')];
const list = chosen('Consent List', 'consentList', [choice('BIREYSEL', 'Individuals'), choice('TACIR', 'Businesses')]);
const kind = chosen('Kind', 'consentType', [
  choice('MESAJ', 'SMS'),
  choice('EPOSTA', 'E-Mail'),
  choice('ARAMA', 'Call'),
]);
const brand = field('Brand Code', 'brandCode', 'string', { required: true });
const recipient = field('Recipient', 'recipient', 'string', {
  required: true,
  description: 'Number or e-mail address',
});

const whole = (name: string) => (response: Json) => [response[name] as Json];
const nothing = () => [{ success: true }];
const rowsOf = (object: string, member: string) => (response: Json) =>
  ((response[object] as Json)[member] as Value[]).map(row =>
    typeof row === 'string' ? { number: row } : (row as Json),
  );

const sourceNames =
  'HS_WEB HS_MOBIL HS_EORTAM HS_MESAJ HS_EPOSTA HS_CAGRI_MERKEZI HS_SOSYAL_MEDYA HS_ATM HS_ETKINLIK HS_FIZIKSEL_ORTAM HS_ISLAK_IMZA HS_KARAR';

const pageSize = 1_000;
const paged = (object: string) => (read: Read) => ({
  [object]: { filter: rangeOf(read), page: read('page'), rowCount: pageSize },
});

export const resources: Record<string, Operation[]> = {
  message: [
    {
      ...act('send', 'Send', 'Send an SMS', 'send-sms'),
      sends: true,
      fields: [
        field('Sender ID', 'sender', 'string', { required: true, placeholder: 'APITEST' }),
        field('To', 'to', 'string', {
          required: true,
          placeholder: '+90 555 000 00 00',
          description: 'One number, or several separated by commas, up to 50,000',
        }),
        field('Text', 'text', 'string', { required: true, typeOptions: { rows: 4 } }),
        field('Send At', 'sendAt', 'dateTime', { description: 'At once if left empty' }),
        field('Commercial', 'commercial', 'boolean', {
          description: 'Whether to send only to those who consent in the registry (İYS)',
        }),
        list,
        field('Idempotency Key', 'idempotencyKey', 'string', {
          description: 'Your own name for this order: asked again within 24 hours, it is not sent again',
        }),
      ],
      members: read => ({ order: orderOf(read) }),
      items: whole('order'),
    },
    {
      ...act('cancel', 'Cancel', 'Cancel a scheduled order', 'cancel-order'),
      fields: [orderId],
      members: read => ({ order: { id: read('orderId') } }),
      items: nothing,
    },
    {
      ...act('report', 'Get Report', 'Get the report of an order', 'get-report'),
      fields: [orderId],
      members: read => ({ order: { id: read('orderId') } }),
      items: whole('order'),
    },
    {
      ...act('list', 'Get Many', 'Get the orders of up to ten days', 'get-reports'),
      fields: [...range.map(one => ({ ...one, required: true })), returnAll],
      rowsPerPage: 30,
      members: read => ({ filter: { ...rangeOf(read), page: read('page') } }),
      items: response => response['orders'] as Json[],
    },
  ],
  account: [
    {
      ...act('balance', 'Get Balance', 'Get the balance', 'get-balance'),
      fields: [],
      members: () => ({}),
      items: whole('balance'),
    },
    {
      ...act('senders', 'Get Senders', 'Get the approved sender IDs', 'get-sender'),
      fields: [],
      members: () => ({}),
      items: response => ((response['senders'] as Json)['sender'] as string[]).map(sender => ({ sender })),
    },
  ],
  blacklist: [
    {
      ...act('list', 'Get Many', 'Get the blacklist', 'get-blacklist'),
      fields: [...range, returnAll],
      rowsPerPage: pageSize,
      members: paged('blacklist'),
      items: rowsOf('blacklist', 'number'),
    },
    ...(['add', 'delete'] as const).map(
      (verb): Operation => ({
        ...act(
          verb,
          verb === 'add' ? 'Add' : 'Delete',
          `${verb === 'add' ? 'Add' : 'Delete'} a number`,
          `${verb}-blacklist`,
        ),
        fields: [number],
        members: read => ({ blacklist: { number: read('number') } }),
        items: nothing,
      }),
    ),
  ],
  consent: [
    {
      ...act('register', 'Register', 'Register a consent', 'consent/create'),
      fields: [
        brand,
        recipient,
        list,
        kind,
        chosen('Status', 'status', [choice('ONAY', 'Consent'), choice('RET', 'Refusal')]),
        chosen(
          'Source',
          'source',
          sourceNames.split(' ').map(name => choice(name)),
        ),
        field('Given At', 'consentDate', 'dateTime', { required: true, description: 'At most three days ago' }),
      ],
      members: read => ({ consent: { brandCode: read('brandCode'), list: [recordOf(read)] } }),
      items: nothing,
    },
    {
      ...act('check', 'Check', 'Check a consent', 'consent/show'),
      fields: [brand, recipient, list, kind],
      members: read => ({ consent: { brandCode: read('brandCode'), ...personOf(read) } }),
      items: whole('consent'),
    },
  ],
  inbox: [
    {
      ...act('list', 'Get Many', 'Get inbound messages', 'get-inbox'),
      fields: [...range, returnAll],
      rowsPerPage: pageSize,
      members: paged('inbox'),
      items: rowsOf('inbox', 'message'),
    },
  ],
};

function act(value: string, name: string, action: string, path: string) {
  return { value, name, action, description: action, path };
}

function orderOf(read: Read): Json {
  const to = String(read('to'))
    .split(/[,;\n]/)
    .map(one => one.trim());
  return {
    sender: read('sender'),
    message: { text: read('text'), receipents: { number: to.filter(one => one !== '') } },
    ...(read('sendAt') ? { sendDateTime: turkeyTime(read('sendAt')) } : {}),
    ...(read('commercial') === true ? { iys: '1', iysList: read('consentList') } : { iys: '0' }),
  };
}

function personOf(read: Read): Json {
  return { recipient: read('recipient'), recipientType: read('consentList'), type: read('consentType') };
}

function recordOf(read: Read): Json {
  return {
    ...personOf(read),
    status: read('status'),
    source: read('source'),
    consentDate: turkeyTime(read('consentDate')),
  };
}

function rangeOf(read: Read): Json {
  const bounds = ['start', 'end'].map(name => [name, read(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(bounds.map(([name, value]) => [name, turkeyTime(value)]));
}

/** n8n adds the zone to a time; a time without one is Turkey's local time, which the interface uses. */
function turkeyTime(value: unknown): string {
  const text = typeof value === 'string' ? value : new Date(String(value)).toISOString();
  if (!/Z$|[+-]\d{2}:?\d{2}$/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text))
    return text.replace('T', ' ').slice(0, 19);
  return new Date(Date.parse(text) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
