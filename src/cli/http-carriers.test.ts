// Carriers over HTTP from the command line, against a simulator of a provider.
import { expect, test } from 'vitest';
import { startHttpCarrier } from '../../simulators/http-carrier/main.ts';
import { presets } from '../carriers/http/presets.ts';
import { command, commandLine } from './command-fixture.ts';

const { run, json } = await commandLine();

test('a carrier over HTTP is added by a preset, tried with a message, and tells where to call; its secrets never show', async () => {
  const simulator = await startHttpCarrier({ provider: 'netgsm', user: '8500000000', password: 'cok-gizli' });
  const listed = (await json(...command('carrier presets'))) as { name: string }[];
  expect(listed.map(one => one.name)).toContain('netgsm');
  expect(await json('carrier', 'presets', 'netgsm')).toEqual(presets['netgsm']);
  expect(JSON.parse(await run('carrier', 'presets', 'netgsm'))).toEqual(presets['netgsm']);
  await expect(run('carrier', 'presets', 'nobody')).rejects.toThrow('there is no preset "nobody"');
  // Its receipts come by calls, so it needs an address of ours.
  const calling = ['--kind', 'http', '--url', simulator.url, '--private', 'on', '--preset', 'twilio', '--user', 'x'];
  const twilio = ['carrier', 'add', '--name', 'arayan', ...calling, '--password', 'y'];
  await expect(run(...twilio)).rejects.toThrow('PEYK_PUBLIC_URL is not set');
  const address = ['--peyk-public-url', 'https://sms.example.com'];
  await run(...twilio, ...address);
  await expect(run('carrier', 'test', 'arayan')).rejects.toThrow('PEYK_PUBLIC_URL is not set');
  const findings = JSON.stringify((await json('doctor')).findings);
  process.exitCode = 0;
  expect(findings).toContain('arayan has nowhere to send receipts to');
  await run('carrier', 'pause', 'arayan');
  await run('carrier', 'remove', 'arayan');
  const place = ['--kind', 'http', '--url', simulator.url, '--private', 'on', '--priority', '500'];
  const login = ['--user', '8500000000', '--password', 'cok-gizli'];
  await expect(run('carrier', 'add', '--name', 'web', ...place, ...login)).rejects.toThrow('--preset: one of');
  await expect(run('carrier', 'add', '--name', 'web', ...place, '--preset', 'netgsm')).rejects.toThrow(
    '--user is missing',
  );
  const added = await json('carrier', 'add', '--name', 'web', '--preset', 'netgsm', ...place, ...login);
  expect(added).toMatchObject({ name: 'web', kind: 'http', preset: 'netgsm', host: '127.0.0.1' });
  expect(await json(...command('carrier test'), 'web')).toMatchObject({ outcome: 'bound' });
  expect(await json('carrier', 'test', 'web', '+905550000000')).toMatchObject({ outcome: 'sent' });
  expect(simulator.taken).toMatchObject([{ to: '905550000000', from: 'PEYK' }]);
  await expect(run('carrier', 'test', 'web', '+905550009012')).rejects.toThrow('HTTP 406: gecersiz kullanici');
  const { receipts } = (await json(...command('carrier callback'), 'web')) as { receipts: string };
  expect(receipts).toMatch(/\/carrier\/\d+\/[\w-]{32}\/receipts$/);
  expect(JSON.stringify([added, await json('carrier', 'list')])).not.toContain('cok-gizli');
  const two = ['--preset', 'ttmesaj', ...place, ...login, '--secret'];
  await expect(run('carrier', 'add', '--name', 'iki', ...two, 'api_user=a')).rejects.toThrow('--secret api_password=');
  await run('carrier', 'add', '--name', 'iki', ...two, 'api_user=a,api_password=b,c');
  for (const name of ['web', 'iki']) {
    await run('carrier', 'pause', name);
    await run('carrier', 'remove', name);
  }
  await simulator.stop();
});
