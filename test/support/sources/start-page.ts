// Follows a page of the documentation in a shell against a running program. Values that readers copy from the screen or from an
// answer are filled in.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Customer, Program } from '../program/program.ts';
import { wait } from '../run/wait.ts';
import { commandsOf, fencesOf } from './fences.ts';
import { root } from './sources.ts';

const run = promisify(execFile);
const startPage = 'docs/start.md';
const iysPage = 'docs/iys.md';
/** Pages whose calls of simulators are made here. */
export const followedPages = [startPage, iysPage];

/** Every command of docs/start.md except the first, which started the program: the answer of each. */
export function followStartPage(program: Program): Promise<Map<string, string>> {
  const [first, ...commands] = fencesOf(startPage).flatMap(commandsOf);
  if (first !== 'npm ci && npm start') throw new Error(`the page begins with ${first}`);
  return follow(program, commands, '');
}

/** The examples of docs/iys.md, with a new account; the later ones are for the real registry. */
export function followIysPage(program: Program, { id, key, hash }: Customer): Promise<Map<string, string>> {
  const commands = fencesOf(iysPage).flatMap(commandsOf);
  const tries = commands.slice(0, commands.indexOf('bin/peyk consent sync') + 1);
  return follow(program, tries, id, `KEY=${key} HASH=${hash}`);
}

async function follow(program: Program, commands: string[], account: string, known = ''): Promise<Map<string, string>> {
  const { ready, demo } = program;
  const copied = new Map([
    ['http://127.0.0.1:8080', ready.api],
    ['http://127.0.0.1:2780', ready.smscHttp!],
    ['http://127.0.0.1:2790', ready.registry!],
    ['KEY-FROM-THE-SCREEN', demo.key],
    ['HASH-FROM-THE-SCREEN', demo.hash],
    [' ACCOUNT ', ` ${account} `],
  ]);
  const answers = new Map<string, string>();
  const env = { ...process.env, ...program.env };
  let remembered = known;
  for (const command of commands) {
    const filled = [...copied].reduce((text, [from, to]) => text.replaceAll(from, to), command);
    if (filled.startsWith('export ')) {
      remembered = filled;
      continue;
    }
    // A report is polled until nothing is pending.
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
