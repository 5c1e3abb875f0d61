// Asks the test run for resources that it prepares once for all test files (global-setup.ts).
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export async function ask<T extends object>(socket: string): Promise<T> {
  const answer = JSON.parse(await text(connect(socket))) as T | { error: string };
  if ('error' in answer) throw new Error(`the test run could not prepare what was asked for: ${answer.error}`);
  return answer;
}
