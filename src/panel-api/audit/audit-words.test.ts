// Every recorded action and detail has a description for people.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountSettings } from '../../accounts/settings.ts';
import { carrierSettings } from '../../carriers/carrier-settings.ts';
import { webhookEvents } from '../../webhooks/events.ts';
import { auditActions, detailLine, details } from './audit-words.ts';

const sources = ['src/panel-api', 'src/accounts', 'src/people', 'src/cli'];
const calls = sources.flatMap(callsIn);

test('every action that the program records has words in both languages', () => {
  const recorded = new Set(
    calls.flatMap(call => [...call.matchAll(/'([a-z]+(?:\.[a-z-]+)?)'/g)].map(([, name]) => name!)),
  );
  const known = [...recorded].filter(name => name.includes('.') || name === 'export');
  expect(known.length).toBeGreaterThan(40);
  expect(known.filter(name => !auditActions[name])).toEqual([]);
});

test('every detail that an audit entry carries has a name in both languages', () => {
  const settings = [...Object.keys(carrierSettings), ...Object.keys(accountSettings)];
  const given = calls.flatMap(call =>
    [...call.matchAll(/\{([^{}]*)\}/g)].flatMap(([, inside]) =>
      [...inside!.matchAll(/(?:^|,)\s*([a-zA-Z]+)(?=\s*[,:]|\s*$)/g)].map(([, key]) => key!),
    ),
  );
  const columns = new Set(['key', 'accountId', 'actor', 'action', 'detail', 'address']);
  const keys = [...new Set([...settings, ...given])].filter(key => !columns.has(key));
  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter(key => !details[key])).toEqual([]);
});

test('a line of details tells nothing of what was not given, and nothing the way programs write it', () => {
  const detail = { applicationId: 7, name: 'ORNEK', reason: null, keyword: '', quota: undefined };
  expect(detailLine(detail, 'tr')).toBe('başvuru: 7 · ad: ORNEK');
  const change = { api: 'off', abroad: true, 'panel-ips': '', ips: ['10.0.0.1', '10.0.0.2'], more: { role: 'owner' } };
  expect(detailLine(change, 'tr')).toBe(
    'API erişimi: kapalı · yurt dışı: açık · panel adresleri: boş (her adres) · API adresleri: 10.0.0.1, 10.0.0.2 · more: rol: sahip',
  );
  expect(detailLine({ from: '2026-11-15T21:30:00.000Z', url: '' }, 'en')).toBe(
    'from: 16.11.2026 00:30 · address: removed',
  );
  expect(detailLine({ constructor: 'x' }, 'tr')).toBe('constructor: x');
});

test('what is counted has thousands separators, ids have none, and events have words', () => {
  const detail = {
    orderId: 100000113,
    was: { rate: '100' },
    rate: '3000',
    sms: -60000,
    events: ['delivered', 'inbound'],
  };
  expect(detailLine(detail, 'tr')).toBe(
    'sipariş: 100000113 · hız: 100 → 3.000 · kredi: -60.000 · olay: iletildi, gelen mesaj',
  );
  expect(detailLine({ rate: 'none', quota: 5000, code: 701710 }, 'en')).toBe(
    'rate: no limit · quota: 5,000 · code: 701710',
  );
  expect(detailLine({ events: 'accepted, inbound' }, 'tr')).toBe('olay: kabul edildi, gelen mesaj');
  for (const event of webhookEvents) expect(detailLine({ events: [event] }, 'tr')).not.toContain(event);
});

function callsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !/\.test\.ts$|fixture|audit-words/.test(name),
  );
  return files.flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8');
    // An action is named in the call that records it, or in the action of its record.
    const found = text.matchAll(
      /\b(?:auditEntry|\w*AuditEntry|note(?=\(call))\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|action: [^,;]+/g,
    );
    return [...found].map(([call]) => call);
  });
}
