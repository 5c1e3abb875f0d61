// The states of everything that a page reads, forced one after another at the place between the page and the server: on its way,
// failed, empty, there, and there while a later read fails. Lists are found by themselves (`data-list` of ui/list.tsx), so a
// new list is covered as soon as a page shows it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Route } from 'playwright-core';
import type { Answer } from '../../src/panel-api/contract/contract.ts';
import { wait } from '../../test/support/run/wait.ts';
import type { Text } from '../src/text/tr.ts';
import type { Visitor } from './visitor.ts';

/** A page that reads nothing. */
export const nowhere = '/yok-boyle';

type Mode = 'real' | 'held' | 'failed' | 'empty';
/** What the page shows of its lists, of one operation or of all. */
type Shown = { lists: string[]; busy: number; failed: number; rows: number; words: string; next: number };

const pagesFolder = fileURLToPath(new URL('../src/pages', import.meta.url));
/** No state waits for anything but the page: the answers are made here. */
const stateMs = 30_000;
/** Long enough for the panel to read again what it has. */
const staleMs = 6_000;
/** Operations that never return an empty list: the reader has a session, and the program has its legal texts. */
const neverEmpty = new Set(['profile.sessions', 'staff.legal']);
export const refusal = { ok: false, error: { code: 'deneme', tr: 'Deneme: okunamadı.', en: 'Trial: not readable.' } };

/** Every list of the panel, by the operation that it reads, as the pages declare it. */
export function declaredLists(): Set<string> {
  const files = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tsx'));
  const sources = files.map(name => readFileSync(join(pagesFolder, name), 'utf8'));
  return new Set(sources.flatMap(source => [...source.matchAll(/useList\('([\w.]+)'/g)].map(match => match[1]!)));
}

export class LoadStates {
  readonly person: Visitor;
  readonly #t: Text;
  #mode: Mode = 'real';
  readonly #held: (() => void)[] = [];

  private constructor(person: Visitor, t: Text) {
    this.person = person;
    this.#t = t;
  }

  static async of(person: Visitor, t: Text): Promise<LoadStates> {
    const made = new LoadStates(person, t);
    await person.context.addInitScript(makeClockMovable);
    await person.page.route('**/panel/api/*', route => made.#answer(route));
    return made;
  }

  /** Lists on the open page, whose data are real again. */
  async lists(): Promise<string[]> {
    this.#change('real');
    return (await this.#shown()).lists;
  }

  /** A page that has read nothing yet shows what it waits for, then what it could not read, then that there is nothing. */
  async throughFirstRead(path: string): Promise<void> {
    await this.person.follow(nowhere);
    await this.person.page.evaluate(forgetReads);
    this.#mode = 'held';
    await this.person.follow(path);
    await this.#until('a skeleton in place of the rows', one => one.lists.length > 0 && one.busy === one.lists.length);
    this.#change('failed');
    await this.#until('a failure that says so', one => one.busy === 0 && one.failed === one.lists.length);
    this.#mode = 'empty';
    await this.#pressAll();
    const mayBeSilent = (one: Shown) => one.lists.every(list => neverEmpty.has(list));
    await this.#until(
      'words in place of the rows',
      one => one.failed === 0 && one.busy === 0 && (one.words !== '' || mayBeSilent(one)),
    );
    this.#mode = 'real';
    await this.#readAgain();
  }

  /** A later read that fails takes nothing away, says of when the rows are, and can be repeated; long lists lead back. */
  async throughLaterRead(): Promise<void> {
    const before = await this.#shown();
    this.#mode = 'failed';
    await this.#readAgain();
    await this.#until('the old rows beside the failure', one => one.failed > 0 && one.rows >= before.rows);
    const since = new RegExp(this.#t.load.shownSince('\\d\\d:\\d\\d').replace(/\./g, '\\.'));
    if (before.rows > 0) await this.person.reads(since);
    this.#mode = 'real';
    await this.#pressAll();
    await this.#until('the rows again', one => one.failed === 0 && one.rows >= before.rows);
    if (before.next === 0) return;
    const { nextPage, firstPage } = this.#t.table;
    await this.person.button(nextPage).first().click();
    await this.person.button(firstPage).first().click();
    await this.#until('the first page', one => one.rows >= before.rows && one.next === before.next);
  }

  async #answer(route: Route): Promise<void> {
    const operation = route.request().url().split('/').at(-1)!;
    if (!listed.has(operation)) return route.fallback();
    if (this.#mode === 'held') await new Promise<void>(resolve => this.#held.push(resolve));
    if (this.#mode === 'real') return route.fallback();
    if (this.#mode === 'failed') return route.fulfill({ json: refusal });
    const response = await route.fetch();
    const answer = (await response.json()) as Answer<Record<string, unknown>>;
    if (!answer.ok) return route.fulfill({ response });
    const emptied = Object.entries(answer.data).map(([key, value]) => [key, Array.isArray(value) ? [] : value]);
    const pages = { ...('next' in answer.data && { next: null }), ...('hasMore' in answer.data && { hasMore: false }) };
    return route.fulfill({ response, json: { ok: true, data: { ...Object.fromEntries(emptied), ...pages } } });
  }

  #change(mode: Mode): void {
    this.#mode = mode;
    for (const letGo of this.#held.splice(0)) letGo();
  }

  #readAgain(): Promise<void> {
    return comeBack(this.person);
  }

  /** Every button that tries again; pressing one may take others away. */
  async #pressAll(): Promise<void> {
    const again = this.person.button(this.#t.load.retry);
    const pressed = async () => {
      if ((await again.count()) === 0) return true;
      await again
        .first()
        .click({ timeout: 2_000 })
        .catch(() => {});
      return null;
    };
    await wait('every failed read to be tried again', pressed, stateMs);
  }

  #shown(): Promise<Shown> {
    return this.person.page.evaluate(readLists, this.#t.table.nextPage);
  }

  async #until(what: string, isSo: (shown: Shown) => boolean): Promise<void> {
    const isThere = async () => isSo(await this.#shown());
    await wait(what, isThere, stateMs).catch(async () => {
      throw new Error(`not ${what}: ${JSON.stringify(await this.#shown()).slice(0, 300)}`);
    });
  }
}

const listed = declaredLists();

/** Runs in the page: forgets what was read and is not on the screen, as a load does that costs a second of CPU. */
function forgetReads(): void {
  type Client = { removeQueries(which: { type: 'inactive' }): void };
  type Fiber = { child: Fiber | null; sibling: Fiber | null; memoizedProps: { client?: Client } | null };
  const root = document.getElementById('root')!;
  const key = Object.keys(root).find(name => name.startsWith('__reactContainer$'))!;
  const { stateNode } = (root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key]!;
  const clientOf = (at: Fiber | null): Client | undefined =>
    at ? (at.memoizedProps?.client ?? clientOf(at.child) ?? clientOf(at.sibling)) : undefined;
  clientOf(stateNode.current)!.removeQueries({ type: 'inactive' });
}

/** As when somebody comes back to the tab after a while; the page needs `makeClockMovable`. */
export function comeBack(person: Visitor): Promise<void> {
  return person.page.evaluate(ms => {
    (window as unknown as { peykLater: (ms: number) => void }).peykLater(ms);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, staleMs);
}

/** Runs in the page. */
export function makeClockMovable(): void {
  const now = Date.now.bind(Date);
  let ahead = 0;
  Date.now = () => now() + ahead;
  Object.assign(window, { peykLater: (ms: number) => (ahead += ms) });
}

/** Runs in the page. */
function readLists(nextPage: string): Shown {
  const lists = [...document.querySelectorAll<HTMLElement>('[data-list]')].filter(
    one => one.closest('[hidden]') === null,
  );
  const count = (selector: string) => lists.filter(one => one.querySelector(selector)).length;
  const busy = '[aria-busy="true"]';
  // A page without anything to list may show something else in its place.
  const places = lists.length > 0 ? lists : [document.body];
  const texts = places.flatMap(one => [...one.querySelectorAll<HTMLElement>('.list-rows, .panel-card, main')]);
  const rows = lists.flatMap(one => [...one.querySelectorAll('tbody tr, ul.rows > li, [role="group"] > .panel-card')]);
  return {
    lists: lists.map(one => one.dataset['list']!),
    busy: count(busy),
    failed: count('.note-bad button'),
    rows: rows.filter(one => !one.closest(busy)).length,
    words: texts
      .map(one => one.textContent?.trim())
      .join(' ')
      .trim(),
    next: lists.filter(one => [...one.querySelectorAll('button')].some(button => button.textContent === nextPage))
      .length,
  };
}
