import { expect, test } from 'vitest';
import { RecentAnswers } from './recent-answers.ts';

const work = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

test('an answer that took long is kept ten times as long, one that failed not at all', async () => {
  const answers = new RecentAnswers();
  const db = {};
  let made = 0;
  const ask = (make: () => Promise<unknown>) => answers.get(db, 'sums', 0, make);
  const slow = () => {
    made++;
    return work(200);
  };
  await Promise.all([ask(slow), ask(slow)]);
  await ask(slow);
  expect(made).toBe(1);
  await expect.poll(() => ask(slow).then(() => made)).toBe(2);
  const failing = () => Promise.reject(new Error('lost'));
  await expect.poll(() => ask(failing).catch(error => error.message)).toBe('lost');
  await ask(slow);
  expect(made).toBe(3);
});
