// The send page with a list of recipients from a file.
import { paths } from '../src/paths.ts';
import { tr } from '../src/text/tr.ts';
import type { Visitor } from './visitor.ts';

export async function openFileTab(person: Visitor): Promise<void> {
  await person.open(paths.send(), tr.send.title);
  await person.page.getByText(tr.send.fileTab, { exact: true }).click();
}

/** The counters of the recipients: each title and its number. */
export async function counters(person: Visitor): Promise<Record<string, string>> {
  const cards = await person.page.getByTestId('send-counters').locator('.count').allInnerTexts();
  return Object.fromEntries(cards.map(card => card.trim().split(/\n+/).reverse()));
}
