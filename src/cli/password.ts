// Passwords for commands: as an argument (visible to every user of the machine in the list of processes), from standard
// input with `-`, or typed at a terminal without echo.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { UsageError } from './command.ts';

export const passwordHelp = (what: string): string => `${what}; - reads standard input; default: prompt`;

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

export async function readPassword(given: string | undefined, input: Input = process.stdin): Promise<string> {
  if (given !== undefined && given !== '-') return some(given);
  if (given === '-') return some((await text(input)).replace(/\r?\n$/, ''));
  // Standard input is read only if asked for: it may be a pipe that nobody writes to.
  if (!input.isTTY) throw new UsageError('--password is missing (--password - reads it from standard input)');
  const password = await prompt('Password: ', input);
  if ((await prompt('Once more: ', input)) !== password) throw new UsageError('the two passwords are not the same');
  return some(password);
}

function some(password: string): string {
  if (password === '') throw new UsageError('the password is empty');
  return password;
}

/** Shows the question, but not what is typed. */
function prompt(question: string, input: Input): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    line.once('SIGINT', () => reject(new UsageError('interrupted')));
    line.once('line', answer => {
      process.stderr.write('\n');
      resolve(answer);
      line.close();
    });
  });
}
