// A browser that loses its network: the panel says so at once, loses nothing, sends nothing twice, and recovers by itself.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { customer, program } from '../people.ts';
import { eventually, ownWindow, takeComplaints, type Visitor } from '../visitor.ts';

const noConnection = /^Bağlantı yok; .* itibarıyla veriler\.$/;

/** A customer on the send page with a message to one number, ready to be sent. */
async function writing(phone: string, text: string): Promise<Visitor> {
  const person = await customer({}, ownWindow);
  await person.open(paths.send(), tr.send.title);
  await person.field(tr.send.numbers).fill(phone);
  await person.field(tr.send.text).fill(text);
  await person.button(tr.send.submit('1')).waitFor();
  return person;
}

/** Waits for the page of the order: there is one order, and the phone has one message. */
async function sentOnce(person: Visitor, phone: string): Promise<void> {
  await person.page.waitForURL(/siparisler\/\d+$/);
  expect((await person.call('orders.list', {})).rows).toHaveLength(1);
  await eventually(async () => (await program.carrier.phone(phone)).length).toBe(1);
}

test('a message sent without a network waits for it, says so, and leaves exactly once', async () => {
  const person = await writing('5550000121', 'Baglanti koparken');
  await person.context.setOffline(true);
  await person.press(tr.send.submit('1'));
  await person.reads(tr.send.waitsForNetwork);
  await person.reads(noConnection);
  await person.context.setOffline(false);
  await sentOnce(person, '5550000121');
});

test('an answer that is lost on its way is asked for again: one order, and no problem of the order is shown', async () => {
  const person = await writing('5550000122', 'Yanit yolda kalirken');
  let submits = 0;
  await person.context.route('**/panel/api/drafts.submit', async route => {
    const response = await route.fetch();
    return ++submits === 1 ? route.abort('connectionreset') : route.fulfill({ response });
  });
  await person.page.evaluate(problems => {
    const seen: string[] = [];
    Object.assign(window, { peykProblems: seen });
    const look = () => {
      const shown = document.querySelector(`[aria-label="${problems}"]`);
      if (shown) seen.push(shown.textContent ?? '');
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  }, tr.send.problems);
  await person.press(tr.send.submit('1'));
  await sentOnce(person, '5550000122');
  expect(submits).toBe(2);
  expect(await person.page.evaluate(() => (window as unknown as { peykProblems: string[] }).peykProblems)).toEqual([]);
});

test('a page opened without a network says so instead of showing a skeleton for ever, and comes by itself', async () => {
  const person = await customer({}, ownWindow);
  await person.open(paths.orders(), tr.orders.title);
  await person.context.setOffline(true);
  await person.reads(noConnection);
  await person.follow(paths.balance());
  // Either the code or the data of the page is missing.
  await person.reads(new RegExp(`${tr.missing.lost}|${tr.load.failed}`));
  expect(await person.page.locator('.mantine-Skeleton-root').count()).toBe(0);
  await person.context.setOffline(false);
  await person.reads(tr.balance.lowTitle);
  await person.page.getByText(noConnection).waitFor({ state: 'detached' });
  // About the code that could not be fetched.
  takeComplaints();
});
