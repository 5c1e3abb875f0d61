// Push: decisions of citizens are posted to the addresses a brand registered, with Basic authentication, one at a time and in
// order per address. One attempt each, because no repeats are published; the pull closes the gaps.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { toTurkeyTime } from '../../src/time/clock.ts';
import { type Answer, type Fault, ok, refuse, refuseAll } from './answers.ts';
import type { Movement } from './movement.ts';
import { consentTypes, type Raw } from './rules.ts';
import type { Settings } from './settings.ts';
import { type Brand, shown } from './store.ts';

const activePerTypeMax = 2;
const connectionsMax = 1_000;
const waitingMax = 10_000;
const requestConnectionsMax = 6;

type Connection = { url: string; type: string; username: string; password: string };
type Active = Connection & { brandCode: number; registerTime: string; tail: Promise<unknown>; waiting: number };
export type PushTally = { sent: number; failed: number };

const testRecord = {
  iysCode: 121212,
  brandCode: 121212,
  consentDate: '2015-05-01 15:00:00',
  creationDate: '2015-05-01 15:00:00',
  source: 'IYS_MOBIL',
  recipient: 'pushtest@iys.org.tr',
  recipientType: 'BIREYSEL',
  status: 'ONAY',
  type: 'EPOSTA',
  transactionId: 'e52ee30512adfcd2a41fb3b4682f5bd61eee5b1c92bda665fc0b7e56644d429d',
};

export function createPush(settings: Settings, tally: PushTally, now: () => number) {
  let active: Active[] = [];

  const post = (to: Connection, list: unknown[]) => postList(to, list, settings.pushTimeoutMs);

  async function register(brand: Brand, body: Raw): Promise<Answer> {
    const wanted = body['connection'];
    if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > requestConnectionsMax) return refuse('H014');
    for (const one of wanted as Raw[]) {
      const faults = connectionFaults(one, settings.pushHttpsOnly === 1);
      if (faults.length > 0) return refuseAll(faults);
      const connection = one as Connection;
      const { brandCode } = brand;
      const taken = active.filter(other => other.brandCode === brandCode && other.type === connection.type);
      if (taken.length >= activePerTypeMax || active.length >= connectionsMax) return refuse('H530');
      const outcome = await post(connection, [testRecord]);
      if (outcome !== 'ok') return refuse(outcome === 'late' ? 'H191' : 'H530');
      const registerTime = toTurkeyTime(new Date(now()));
      active.push({ ...connection, brandCode, registerTime, tail: Promise.resolve(), waiting: 0 });
    }
    return ok({ message: 'Bağlantı oluşturuldu' });
  }

  function unregister(brand: Brand, body: Raw): Answer {
    const faults = connectionFaults(body, false);
    if (faults.length > 0) return refuseAll(faults);
    const keys = ['url', 'type', 'username', 'password'] as const;
    const left = active.filter(one => one.brandCode !== brand.brandCode || keys.some(key => one[key] !== body[key]));
    if (left.length === active.length) return refuse('H530');
    active = left;
    return ok({ message: 'Bağlantı kaldırıldı' });
  }

  function list(brand: Brand): Answer {
    const own = active.filter(one => one.brandCode === brand.brandCode);
    return ok(own.map(({ url, type, registerTime }) => ({ url, type, registerTime, status: 'Bağlantı Oluşturuldu' })));
  }

  function send(brand: Brand, movement: Movement): void {
    const { brandCode } = brand;
    const entry = { iysCode: brand.iysCode ?? brandCode, brandCode, ...shown(movement) };
    for (const one of active) {
      if (one.brandCode !== brandCode || one.type !== movement.type) continue;
      if (one.waiting >= waitingMax) {
        tally.failed++;
        continue;
      }
      one.waiting++;
      one.tail = one.tail.then(async () => {
        tally[(await post(one, [entry])) === 'ok' ? 'sent' : 'failed']++;
        one.waiting--;
      });
    }
  }

  return {
    register,
    unregister,
    list,
    send,
    clear() {
      active = [];
    },
  };
}

function connectionFaults(raw: Raw, httpsOnly: boolean): Fault[] {
  const faults: Fault[] = [];
  const url = String(raw?.['url']);
  const scheme = httpsOnly ? /^https:/ : /^https?:/;
  if (!URL.canParse(url) || !scheme.test(url)) faults.push({ code: 'H531', location: ['url'] });
  if (raw?.['type'] === undefined) faults.push({ code: 'H111', location: ['type'] });
  else if (!consentTypes.includes(raw['type'] as string)) faults.push({ code: 'H117', location: ['type'] });
  for (const key of ['username', 'password'])
    if (typeof raw?.[key] !== 'string' || raw[key] === '') faults.push({ code: 'H093', location: [key] });
  return faults;
}

function postList(to: Connection, list: unknown[], timeoutMs: number): Promise<'ok' | 'late' | 'failed'> {
  return new Promise(resolve => {
    const send = to.url.startsWith('https:') ? httpsRequest : httpRequest;
    const headers = { 'content-type': 'application/json' };
    const request = send(to.url, { method: 'POST', headers, auth: `${to.username}:${to.password}`, agent: false });
    const timer = setTimeout(() => {
      resolve('late');
      request.destroy();
    }, timeoutMs);
    request.on('response', response => {
      response.resume();
      response.on('error', () => resolve('failed'));
      response.on('end', () => resolve(Math.floor((response.statusCode ?? 0) / 100) === 2 ? 'ok' : 'failed'));
    });
    request.on('error', () => resolve('failed'));
    request.on('close', () => {
      clearTimeout(timer);
      resolve('failed');
    });
    request.end(JSON.stringify({ list }));
  });
}
