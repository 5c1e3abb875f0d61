// Does what docs/start.md tells a newcomer, in a shell, against a program that runs: every command of the page but the first, which
// started it. Values that the reader copies from the screen or from an answer are filled in as he would.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandsOf, fencesOf } from './fences.ts';
import type { Program } from './program.ts';
import { root } from './sources.ts';
import { wait } from './wait.ts';

const run = promisify(execFile);

/** What each command answered, by the command. */
export async function followStartPage(program: Program): Promise<Map<string, string>> {
  const { ready, demo } = program;
  const copied = new Map([
    ['http://127.0.0.1:8080', ready.api],
    ['http://127.0.0.1:2780', ready.smscHttp!],
    ['KEY-FROM-THE-SCREEN', demo.key],
    ['HASH-FROM-THE-SCREEN', demo.hash],
  ]);
  const [first, ...commands] = fencesOf('docs/start.md').flatMap(commandsOf);
  if (first !== 'npm ci && npm start') throw new Error(`the page begins with ${first}`);
  const answers = new Map<string, string>();
  const env = { ...process.env, ...program.env, PATH: `${root}/bin:${process.env['PATH']}` };
  let remembered = '';
  for (const command of commands) {
    const filled = [...copied].reduce((text, [from, to]) => text.replaceAll(from, to), command);
    if (filled.startsWith('export ')) {
      remembered = filled;
      continue;
    }
    // A report is asked for until nothing waits any more, as a reader does who is faster than the carrier.
    let answer = '';
    const ask = async () => {
      answer = (await run('bash', ['-c', `set -e; ${remembered}\n${filled}`], { cwd: root, env })).stdout;
      return !answer.includes('"status":110');
    };
    await wait(`the answer to: ${command}`, ask);
    answers.set(command, answer);
    const order = /"order":\{"id":"?(\d+)/.exec(answer)?.[1];
    if (order) copied.set('ORDER-FROM-THE-ANSWER', order);
    const account = /^id\s+(\d+)$/m.exec(answer)?.[1];
    if (account) copied.set('ACCOUNT-FROM-THE-ANSWER', account);
  }
  return answers;
}
