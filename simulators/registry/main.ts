// The registry simulator as a program: `node dist/simulators/registry/main.js --port 2790`. It prints one line when it is
// ready, sends the same to its parent, and ends on request or when the parent is gone.
import { pathToFileURL } from 'node:url';
import { type RegistryOptions, startRegistry } from './server.ts';
import { flagOf, settingNames, settingTable } from './settings.ts';

export { type Registry, type RegistryOptions, startRegistry } from './server.ts';

export function optionsFrom(args: string[]): RegistryOptions {
  const options: RegistryOptions = { port: 2790 };
  const numbers = new Map<string, string>(['port', ...settingNames].map(name => [flagOf(name), name]));
  for (let i = 0; i < args.length; i += 2) {
    const flag = args[i] ?? '';
    const value = args[i + 1];
    const name = numbers.get(flag) ?? (flag === '--host' ? 'host' : undefined);
    if (name === undefined || value === undefined) throw new Error(`${flag} is unknown or lacks a value\n${usage()}`);
    Object.assign(options, { [name]: name === 'host' ? value : Number(value) });
  }
  return options;
}

function usage(): string {
  const rows = settingNames.map(
    name => `  ${flagOf(name)} ${settingTable[name].fallback}   ${settingTable[name].meaning}`,
  );
  return ['  --port 2790', '  --host 127.0.0.1', ...rows].join('\n');
}

async function run(): Promise<void> {
  const registry = await startRegistry(optionsFrom(process.argv.slice(2)));
  const ready = { url: registry.url };
  // Before the ready line, because its reader may stop us at once.
  const end = () => registry.stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('disconnect', end);
  console.log(`registry ready ${JSON.stringify(ready)}`);
  process.send?.(ready);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  run().catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
}
