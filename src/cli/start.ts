// `peyk start`: runs the program in the foreground, prints how to reach it, and stops it cleanly on a signal.

import { createLog, hasColour } from '../log.ts';
import { startProgram } from '../processes/program.ts';
import { ConfigError, loadConfig, settings } from '../settings/config.ts';
import { settingFaults } from '../settings/faults.ts';
import { didYouMean } from '../settings/spelling.ts';
import { banner, farewell, stepsOnTerminal } from './banner.ts';
import { UsageError } from './command.ts';

const stopMaxMs = 30_000;

export async function start(args: string[]): Promise<void> {
  const { config, rest, flags, given, warnings } = loadConfig(args);
  if (rest.length) throw new UsageError(`unknown argument ${rest[0]}${meantSetting(rest[0]!)}; see peyk start --help`);
  // The other processes of this node read the same settings from the environment.
  Object.assign(process.env, flags);
  const log = createLog(config.PEYK_LOG_LEVEL, 'first', config.PEYK_LOG_FORMAT);
  const faults = settingFaults(config, given);
  const grave = faults.filter(one => one.grave).map(one => one.text);
  if (grave.length) throw new ConfigError(`Settings are wrong:\n  ${grave.join('\n  ')}`);
  for (const warning of [...warnings, ...faults.map(one => one.text)]) log.warn({}, warning);
  const isTerminal = process.stdout.isTTY === true;
  const wanted = stopSignal();
  const stopping = new AbortController();
  void wanted.then(() => stopping.abort());
  const steps = isTerminal ? stepsOnTerminal(process.stdout, config) : undefined;
  const program = await unlessStopped(startProgram(config, given, log, { steps, stopping: stopping.signal }), stopping);
  if (!program) process.exit(0);
  console.log(banner(program, config, hasColour(process.stdout)));
  // For machines; people have just read the same above.
  if (!isTerminal) console.log(`peyk ready ${JSON.stringify(program.ready)}`);
  await unlessStopped(program.announced(), stopping);
  program.afterReady();
  const why = await Promise.race([wanted, program.failed]);
  if (why) process.stderr.write(`peyk: ${why}\npeyk: exiting, so that its supervisor can restart it\n`);
  else if (isTerminal) console.log(farewell(config));
  setTimeout(() => process.exit(1), stopMaxMs).unref();
  await program.stop();
  process.exit(why ? 1 : 0);
}

/** undefined: it failed because the program was stopped meanwhile. */
function unlessStopped<T>(work: Promise<T>, { signal }: AbortController): Promise<T | undefined> {
  return work.catch(error => {
    if (signal.aborted) return undefined;
    throw error;
  });
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
