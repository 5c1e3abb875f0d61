// A user at a browser: opens pages, reads labels, presses buttons, by the words of the panel's dictionary. An exception or a
// violation of the content policy on a page fails the test.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { APIRequestContext, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import type { Answer, InputOf, OperationName, OutputOf } from '../../src/panel-api/contract/contract.ts';
import { panelHeader } from '../../src/panel-api/contract/facts.ts';
import { base } from '../src/paths.ts';
import { tr } from '../src/text/tr.ts';
import { browser } from './chromium.ts';

/** Long, because the machine may have two cores and other work. */
const patienceMs = 90_000;
/** Logged by the browser for each refused request; many tests make some. */
const expectedNoise = /Failed to load resource/;

const failuresFolder = fileURLToPath(new URL('../../artifacts/e2e', import.meta.url));
const present: Visitor[] = [];
/** Emptied windows for reuse: loading the panel in one costs 0.2 CPU seconds, in a new one 0.7. */
const emptied: Visitor[] = [];
const complaints: string[] = [];
/** Of the same origin, so that the window keeps its process, and without scripts. */
const emptyPage = '/health/live';
const usualView = { width: 1280, height: 900 };

afterEach(async ({ task }) => {
  const failed = task.result?.state === 'fail';
  if (failed) await keepPictures(task.name);
  await Promise.all(present.splice(0).map(person => leave(person, failed)));
  expect(complaints.splice(0)).toEqual([]);
});

async function leave(person: Visitor, failed: boolean): Promise<void> {
  if (failed || !person.isUsual) return person.context.close();
  await person.empty();
  emptied.push(person);
}

/** Pictures of all open tabs after a failed test; git ignores the folder. */
async function keepPictures(name: string): Promise<void> {
  const pages = present.flatMap(person => person.context.pages());
  const start = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60);
  for (const [at, page] of pages.entries())
    await page.screenshot({ path: join(failuresFolder, `${start}-${at}.png`) }).catch(() => {});
}

/** Without special options a visitor may get an emptied window. */
export async function visitor(address: string, options?: BrowserContextOptions): Promise<Visitor> {
  const person = (options ? undefined : emptied.pop()) ?? (await newWindow(address, options));
  present.push(person);
  return person;
}

async function newWindow(address: string, options: BrowserContextOptions | undefined): Promise<Visitor> {
  const context = await (await browser()).newContext({
    baseURL: new URL(address).origin,
    locale: 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    viewport: usualView,
    colorScheme: 'light',
    // Drawing animations costs more than the pages themselves.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  listen(page);
  if (!options) forbidWhatStays(page);
  return new Visitor(context, page, options === undefined);
}

/** Forbids what cannot be undone and would affect the next visitor in this window. */
function forbidWhatStays(page: Page): void {
  const forbidden = () => {
    throw new Error('this stays in the window: take one of its own, customer({}, ownWindow)');
  };
  Object.assign(page, { addInitScript: forbidden });
  Object.assign(page.clock, { install: forbidden, setFixedTime: forbidden });
}

/** For a visitor whose window is closed after the test. */
export const ownWindow: BrowserContextOptions = {};

function listen(page: Page): void {
  page.on('pageerror', error => complaints.push(error.stack ?? error.message));
  page.on('console', message => {
    if (message.type() === 'error' && !expectedNoise.test(message.text())) complaints.push(message.text());
  });
}

/** For tests that cause errors on purpose. */
export function takeComplaints(): string[] {
  return complaints.splice(0);
}

export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The window has no special options and can be reused. */
  readonly isUsual: boolean;
  #underWay = 0;
  /** Pages shown since the last load: the panel remembers what they have read. */
  #shown = new Set<string>();

  constructor(context: BrowserContext, page: Page, isUsual = false) {
    this.context = context;
    this.page = page;
    this.isUsual = isUsual;
    page.on('request', () => this.#underWay++);
    page.on('requestfinished', () => this.#underWay--);
    page.on('requestfailed', () => this.#underWay--);
    page.on('framenavigated', () => this.#shown.add(new URL(page.url()).pathname));
    page.on('domcontentloaded', () => {
      this.#shown = new Set([new URL(page.url()).pathname]);
    });
  }

  /** Removes everything of this visitor from the window. */
  async empty(): Promise<void> {
    await Promise.all(
      this.context
        .pages()
        .filter(page => page !== this.page)
        .map(page => page.close()),
    );
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.context.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.goto(emptyPage);
    await this.context.clearCookies();
    await this.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await this.page.mouse.move(0, 0);
    await this.page.setViewportSize(usualView);
    this.#underWay = 0;
  }

  /** A second tab of the same browser. */
  async tab(): Promise<Visitor> {
    const page = await this.context.newPage();
    listen(page);
    return new Visitor(this.context, page);
  }

  /**
   * Goes to a page by its path in paths.ts and waits for its heading. It is loaded, unless the panel is there and has not shown
   * the page since its last load: then it reads everything anew too, for half of the CPU.
   */
  async open(path: string, heading?: string): Promise<void> {
    if (heading !== undefined && (await this.#canFollow(path))) return this.follow(path, heading);
    await this.page.goto(base + path);
    await this.heading(heading).waitFor();
  }

  async #canFollow(path: string): Promise<boolean> {
    if (this.#shown.has((base + path).replace(/\?.*/, ''))) return false;
    const [menu, dialog] = [`nav[aria-label="${tr.nav.main}"]`, '[role="dialog"]'];
    return (await this.page.locator(menu).count()) > 0 && (await this.page.locator(dialog).count()) === 0;
  }

  /** Goes to a page without loading it again, as links of the panel do; a load takes half of the time of a visit. */
  async follow(path: string, heading?: string): Promise<void> {
    await this.page.evaluate(address => window.history.pushState({}, '', address), base + path);
    await this.heading(heading).waitFor();
  }

  heading(name?: string): Locator {
    return this.page.getByRole('heading', { level: 1, ...(name === undefined ? {} : { name, exact: true }) });
  }

  /** Waits until there is no open request and no skeleton, three times in a row. */
  async quiet(): Promise<void> {
    const busy = '.mantine-Skeleton-root, [aria-busy="true"]';
    let calm = 0;
    await eventually(async () => {
      const loading = this.#underWay > 0 || (await this.page.locator(busy).count()) > 0;
      calm = loading ? 0 : calm + 1;
      return calm;
    }).toBeGreaterThanOrEqual(3);
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  link(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('link', { name, exact: true });
  }

  field(label: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('textbox', { name: label });
  }

  select(label: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('combobox', { name: label });
  }

  /** The dialog or drawer on top. */
  get dialog(): Locator {
    return this.page.getByRole('dialog').last();
  }

  /** A card of the page, by its heading. */
  card(title: string): Locator {
    return this.page.locator('section.panel-card').filter({
      has: this.page.getByRole('heading', { level: 2, name: title, exact: true }),
    });
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  async press(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await this.button(name, within).click();
  }

  /** Confirms the open dialog by the verb on its button; the dialog may be above a drawer. */
  async confirm(verb: string, reason?: string): Promise<void> {
    const question = this.page.getByRole('dialog').filter({ has: this.button(tr.common.cancel) });
    if (reason !== undefined) await question.getByRole('textbox').fill(reason);
    await this.press(verb, question);
  }

  /** Waits until the sentence is anywhere on the page. */
  async reads(sentence: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByText(sentence).first().waitFor();
  }

  text(locator: Locator): Promise<string> {
    return locator.innerText();
  }

  /** The available balance, as the menu shows it. */
  async balance(): Promise<string | undefined> {
    const shown = await this.page.getByRole('link', { name: tr.shell.balanceLabel }).textContent();
    return /[\d.]+/.exec(shown ?? '')?.[0];
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.field(tr.signIn.email).fill(email);
    await this.page.getByLabel(tr.signIn.password).fill(password);
    await this.press(tr.signIn.submit);
  }

  /** The file behind an item of the export menu. */
  async exported(item: string): Promise<string> {
    await this.press(tr.table.export);
    const chosen = this.page.getByRole('menuitem', { name: item });
    const [download] = await Promise.all([this.page.waitForEvent('download'), chosen.click()]);
    return readFileSync(await download.path(), 'utf8');
  }

  /** Sends without the page, as an order that is not commercial. */
  sendOrder(text: string, recipients: string[], sendAt: string | null = null): Promise<{ orderId: number }> {
    const draft = { sender: 'APITEST', text, recipients, sendAt, commercial: false };
    return this.call('send.submit', { ...draft, idempotencyKey: randomUUID() });
  }

  /** Calls an operation as the page does, with the session of this browser. */
  call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    return panelCall(this.context.request, name, input);
  }
}

export async function panelCall<Name extends OperationName>(
  request: APIRequestContext,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const response = await request.post(`${base}/api/${name}`, {
    data: input,
    headers: { [panelHeader.name]: panelHeader.value },
  });
  const answer = (await response.json()) as Answer<OutputOf<Name>>;
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.en}`);
  return answer.data;
}

export function eventually<T>(read: () => Promise<T> | T) {
  return expect.poll(read, { timeout: patienceMs, interval: 100 });
}
