// The code of the reference, run as a reader would run it: copied, the hash filled in, against a real server.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../../../../src/api/operations.ts';
import { callSnippet, exampleBody, type Sample } from '../../../../src/api/snippets.ts';
import { brandCode, order, sendDateTime, sender } from '../../../../test/support/customers/samples.ts';
import { testApp } from '../../../../test/support/program/app.ts';

const app = await testApp();
afterAll(() => app.close());
const run = promisify(execFile);

const account = await app.open({ senders: [sender], brands: [brandCode], settings: { mode: 'unicode' } });
const sample: Sample = { key: account.key, sender, brand: brandCode, mobile: '+905550000010' };
const filledIn = (code: string) => code.replace('<API_HASH>', account.hash);
const urlOf = (path: string) => `${app.url}/v1/${path}/json`;

test('the curl example of every operation is taken by the server once the hash is filled in', async () => {
  const scheduled = await account.send(order({ sendDateTime: sendDateTime(3_600_000) }));
  const sent = await account.send(order());
  // Before the number is asked for or taken off again, it has to be there.
  const inTurn = [...operations].sort((a, b) => Number(/check$/.test(a.name)) - Number(/check$/.test(b.name)));
  for (const { name, path } of inTurn) {
    const orderId = Number(name === 'cancel-order' ? scheduled : sent);
    const code = filledIn(callSnippet('curl', urlOf(path), exampleBody(name, { ...sample, orderId })));
    const { stdout } = await run('sh', ['-c', code]);
    expect([name, JSON.parse(stdout).response.status.code]).toEqual([name, 200]);
  }
});

test('the Node example sends the text as it was written, whatever marks are in it', async () => {
  const text = `Ada'nın "\`\${x}\`" \\ yolu, true`;
  const body = exampleBody('send-sms', sample);
  (body.request['order'] as { message: { text: string } }).message.text = text;
  const code = filledIn(callSnippet('Node', urlOf('send-sms'), body));
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
  const [, id] = /id: '(\d+)'/.exec(stdout)!;
  const { rows } = await app.db.query('select t.text from order_texts t where t.order_id = $1', [id]);
  expect(rows).toEqual([{ text }]);
});
