// Going about a page by the Tab key alone.
import type { Visitor } from './visitor.ts';

/** Far more than any page has; a focus that never arrives is the failure. */
const usualMost = 60;

/** How many presses it took. */
export async function tabTo(person: Visitor, name: string, most = usualMost): Promise<number> {
  for (let i = 0; i < most; i++) {
    if ((await focused(person)) === name) return i;
    await person.page.keyboard.press('Tab');
  }
  throw new Error(`no way to "${name}" with the Tab key`);
}

/** The name of what has the focus, as a screen reader would begin it. */
export function focused(person: Visitor): Promise<string> {
  return person.page.evaluate(() => {
    const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLLabelElement> };
    const label = element.labels?.[0]?.firstChild?.textContent;
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim();
  });
}
