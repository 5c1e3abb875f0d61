// The output of a start for a person at a terminal: its steps, how to reach what runs, and where the data are.
import { performance } from 'node:perf_hooks';
import { programVersion } from '../db/version.ts';
import { hasColour, painter } from '../log.ts';
import type { Program, StartSteps } from '../processes/program.ts';
import type { Config } from '../settings/config.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { command } from './command-name.ts';

const barWidth = 24;
const nameWidth = 24;

type Place = Pick<Config, 'DATABASE_URL' | 'PEYK_DATA'>;

/** One line that is overwritten until the banner follows. */
export function stepsOnTerminal(terminal: NodeJS.WriteStream, config: Place): StartSteps {
  const paint = painter(hasColour(terminal));
  const begin = performance.now();
  const show = (text: string) => terminal.write(`\r\x1b[K${text}`);
  return {
    database(isNew) {
      const verb = isNew ? 'Veritabanı oluşturuluyor / creating the database' : 'Veriler açılıyor / opening the data';
      show(`${verb}: ${placeOf(config)} …`);
    },
    tables(done, total) {
      const full = Math.round((done / total) * barWidth);
      const bar = `${paint(32, '█'.repeat(full))}${paint(90, '░'.repeat(barWidth - full))}`;
      show(`Tablolar hazırlanıyor / preparing tables ${bar} ${done}/${total}`);
    },
    processes() {
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
      show(`Veritabanı hazır / database ready (${seconds} s)\n`);
    },
  };
}

export function farewell(config: Place): string {
  const place = placeOf(config);
  return `\nDuruyor / stopping. Verileriniz burada kalır / your data stay here: ${place}\nDevam etmek için / to go on: ${command === 'bin/peyk' ? 'npm start' : `${command} start`}`;
}

/** In the order in which a newcomer needs it; at most 24 lines of 80 characters, except for the credentials. */
export function banner({ ready, firstStart, stored }: Program, config: Config, colour: boolean): string {
  const paint = painter(colour);
  const line = (name: string, text: string) => `  ${paint(36, name.padEnd(nameWidth))}${text}`;
  const { owner, staff, smppUser, demo } = ready;
  const lines = [
    '',
    `  ${paint(1, `Peyk ${programVersion()}`)} ${paint(32, '● hazır / ready')}`,
    ...(firstStart ? [] : foundAgain(config, stored)),
    '',
    line('Panel', ready.panel),
  ];
  if (owner) {
    lines.push(line('  giriş / sign in', `${owner.email}  ${owner.password}`));
    if (config.PEYK_DEMO_TRAFFIC)
      lines.push(line('', 'örnek mağaza, 30 günlük trafik / example shop with 30 days of traffic'));
  }
  if (staff) lines.push(line('  işletmeci / staff', `${staff.email}  ${staff.password}`));
  if (ready.smscHttp) lines.push(line('Telefonlar / phones', ready.smscHttp));
  lines.push(line('Belgeler / docs', `${ready.api}/docs`));
  if (ready.tls) lines.push(line('TLS', ready.tls));
  if (ready.smpp) {
    const login = smppUser ? `   system_id ${smppUser.systemId}  password ${smppUser.password}` : '';
    lines.push(line('SMPP', `${ready.smpp}${login}`));
  }
  if (demo) {
    lines.push(line('Demo hesap / account', `${firstStart ? '100 kredi / credits, ' : ''}key ${demo.key}`));
    lines.push(line('', `hash ${demo.hash}`));
    if (demo.secret) lines.push(line('', `secret ${demo.secret}`));
  }
  lines.push('', line('İlk SMS / first SMS', `${command} send 5550000000 "Merhaba Peyk"`));
  if (demo) lines.push(`  ${curlOf(ready.api, demo)}`);
  lines.push(...missing(stored));
  return `${lines.join('\n')}\n`;
}

function foundAgain(config: Place, { accounts, since }: Program['stored']): string[] {
  if (accounts === 0) return [];
  const begin = since ? `, ${toTurkeyTime(since).slice(0, 10)}` : '';
  const count = `${accounts} hesap / ${accounts === 1 ? 'account' : 'accounts'}${begin}`;
  return [`  Önceki veriler bulundu / found the data of before: ${placeOf(config)} (${count})`];
}

function curlOf(api: string, { key, hash }: { key: string; hash: string }): string {
  const message = '{"text":"Merhaba Peyk","receipents":{"number":["5550000000"]}}';
  const body = `{"request":{"order":{"sender":"APITEST","message":${message}}}}`;
  return `curl -s ${api}/v1/send-sms/json -u ${key}:${hash} -d '${body}'`;
}

function missing({ lacksCarrier, lacksStaff }: Program['stored']): string[] {
  const lines: string[] = [];
  if (lacksStaff)
    lines.push(
      '',
      '  Panelde işletmeci yok; ekleyin / nobody of the staff can sign in yet; add one:',
      `  ${command} staff create --email E-MAIL --password PASSWORD`,
    );
  if (lacksCarrier)
    lines.push(
      '',
      '  Operatör bağlantısı yok, mesajlar bekler; ekleyin / there is no carrier, messages wait; add one:',
      `  ${command} carrier add --name NAME --host HOST --port 2775 --system-id ID --password PASSWORD`,
    );
  return lines;
}

function placeOf({ DATABASE_URL, PEYK_DATA }: Place): string {
  return DATABASE_URL ? 'DATABASE_URL' : PEYK_DATA;
}
