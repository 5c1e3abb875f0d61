// `peyk start`: runs the program in the foreground, prints how to reach it, and stops it cleanly on a signal.
import { type Config, ConfigError, loadConfig, settings } from '../config.ts';
import { createLog } from '../log.ts';
import { type Program, startProgram } from '../processes/program.ts';
import { settingFaults } from '../setting-faults.ts';
import { didYouMean } from '../spelling.ts';
import { UsageError } from './command.ts';

const stopMaxMs = 30_000;

export async function start(args: string[]): Promise<void> {
  const { config, rest, flags, given, warnings } = loadConfig(args);
  if (rest.length) throw new UsageError(`unknown argument ${rest[0]}${meantSetting(rest[0]!)}; see peyk start --help`);
  // The other processes of this node read the same settings from the environment.
  Object.assign(process.env, flags);
  const log = createLog(config.PEYK_LOG_LEVEL, 'first');
  const faults = settingFaults(config, given);
  const grave = faults.filter(one => one.grave).map(one => one.text);
  if (grave.length) throw new ConfigError(`Settings are wrong:\n  ${grave.join('\n  ')}`);
  for (const warning of [...warnings, ...faults.map(one => one.text)]) log.warn({}, warning);
  const wanted = stopSignal();
  const program = await startProgram(config, given, log);
  console.log(banner(program, config));
  console.log(`peyk ready ${JSON.stringify(program.ready)}`);
  await program.told();
  program.afterReady();
  const why = await Promise.race([wanted, program.failed]);
  if (why) process.stderr.write(`peyk: ${why}\npeyk: ending, so that whoever watches over it can act\n`);
  setTimeout(() => process.exit(1), stopMaxMs).unref();
  await program.stop();
  process.exit(why ? 1 : 0);
}

function stopSignal(): Promise<undefined> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(undefined));
  });
}

function meantSetting(argument: string): string {
  const flags = Object.keys(settings).map(name => `--${name.toLowerCase().replaceAll('_', '-')}`);
  return didYouMean(argument.split('=')[0]!, [...flags, '--roles', '--data', '--workers']);
}

function banner({ ready, firstStart, missing }: Program, config: Config): string {
  const lines = ['', `Peyk  ${ready.api}   panel ${ready.panel}   docs ${ready.api}/docs`];
  if (ready.tls) lines.push(`TLS  ${ready.tls}`);
  if (ready.smpp) {
    const { systemId, password } = ready.smppUser ?? {};
    lines.push(`SMPP  ${ready.smpp}${systemId ? `   system_id ${systemId}  password ${password}` : ''}`);
  }
  if (ready.smscHttp) lines.push(`Simüle telefonlar / simulated phones  ${ready.smscHttp}`);
  if (ready.owner) lines.push(`Panel girişi / panel sign-in            ${ready.owner.email}  ${ready.owner.password}`);
  if (ready.staff) lines.push(`İşletmeci girişi / operator sign-in  ${ready.staff.email}  ${ready.staff.password}`);
  if (ready.demo) {
    const auth = `"authentication":{"key":"${ready.demo.key}","hash":"${ready.demo.hash}"}`;
    const order =
      '"order":{"sender":"APITEST","message":{"text":"Merhaba Peyk","receipents":{"number":["5550000000"]}}}';
    if (firstStart) lines.push('', 'Demo hesabı açıldı, 100 kredi yüklendi / demo account with 100 credits:');
    lines.push(
      `  key   ${ready.demo.key}`,
      `  hash  ${ready.demo.hash}`,
      ...(ready.demo.secret
        ? [`  secret  ${ready.demo.secret}  (hash’i kendisi hesaplayan istemciler / clients that compute the hash)`]
        : []),
      '',
      'Bakiye / balance:',
      `  curl -s ${ready.api}/v1/get-balance/json -H 'Content-Type: application/json' -d '{"request":{${auth}}}'`,
      'İlk SMS / first SMS:',
      `  curl -s ${ready.api}/v1/send-sms/json -H 'Content-Type: application/json' -d '{"request":{${auth},${order}}}'`,
    );
  } else
    lines.push(
      'Hesaplar / accounts: bin/peyk account list',
      `Veri / data: ${config.DATABASE_URL ? 'DATABASE_URL' : config.PEYK_DATA}`,
    );
  if (missing.staff)
    lines.push(
      '',
      'Panelde işletmeci yok; ekleyin / nobody of the staff can sign in yet; add one:',
      '  bin/peyk staff create --email E-MAIL --password PASSWORD',
    );
  if (missing.carrier)
    lines.push(
      '',
      'Taşıyıcı yok, mesajlar bekler; ekleyin / there is no carrier, messages wait; add one:',
      '  bin/peyk carrier add --name NAME --host HOST --port 2775 --system-id ID --password PASSWORD',
    );
  return `${lines.join('\n')}\n`;
}
