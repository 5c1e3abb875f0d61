// What a screen reader gets from a page: Chromium's own accessibility tree, the element that has the focus, and everything
// that live regions announce. The mouse is never used here.
import type { CDPSession } from 'playwright-core';
import { eventually, type Visitor } from './visitor.ts';

type Value = { value?: unknown };
type Node = {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: Value;
  name?: Value;
  properties?: { name: string; value: Value }[];
};

const controls = new Set(
  'button link textbox searchbox combobox checkbox radio switch menuitem tab option slider spinbutton'.split(' '),
);

/** The most presses of Tab that a person should need from the heading of a page to anything on it. */
const tabsMax = 40;

export class Reader {
  readonly person: Visitor;
  readonly #session: CDPSession;

  private constructor(person: Visitor, session: CDPSession) {
    this.person = person;
    this.#session = session;
  }

  /** After the page has been loaded; it lasts until the next load. */
  static async at(person: Visitor): Promise<Reader> {
    const session = await person.context.newCDPSession(person.page);
    await person.page.evaluate(listenToLiveRegions);
    return new Reader(person, session);
  }

  close(): Promise<void> {
    return this.#session.detach();
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.person.page.keyboard.press(key)), Promise.resolve());
  }

  type(text: string): Promise<void> {
    return this.person.page.keyboard.type(text);
  }

  /** "textbox E-posta": role and name of what has the focus. */
  async focus(): Promise<string> {
    const { result } = await this.#session.send('Runtime.evaluate', { expression: 'document.activeElement' });
    const { objectId } = result;
    const { nodes } = await this.#session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
    await this.#session.send('Runtime.releaseObject', { objectId: objectId! });
    const [node] = nodes as Node[];
    return node ? spoken(node) : '';
  }

  /** Tab until this is focused ("button Gönder"). Returns how many presses it took. */
  async tabTo(what: string | RegExp, most = tabsMax): Promise<number> {
    const met: string[] = [];
    for (let presses = 0; presses <= most; presses++) {
      const at = await this.focus();
      if (typeof what === 'string' ? at === what : what.test(at)) return presses;
      met.push(at);
      await this.press('Tab');
    }
    throw new Error(`Tab does not reach "${what}" within ${most} presses: ${met.join(' | ')}`);
  }

  /** Goes to the button by Tab and presses it. */
  async activate(button: string): Promise<void> {
    await this.tabTo(button);
    await this.press('Enter');
  }

  /** Activates the button and the one of the same name in its confirmation, which focuses its cancel button. */
  async confirm(button: string, cancel: string): Promise<void> {
    await this.activate(button);
    await this.arrives(`button ${cancel}`);
    await this.activate(button);
  }

  /** Waits until a live region has said it, since the last sentence heard. */
  async hears(sentence: string | RegExp): Promise<void> {
    const isIt = (one: string) => (typeof sentence === 'string' ? one.includes(sentence) : sentence.test(one));
    const heard = () => this.person.page.evaluate(() => (window as unknown as Heard).peykHeard);
    await eventually(async () => {
      const sentences = await heard();
      return sentences.some(isIt) ? 'heard' : `"${sentence}" not among: ${sentences.join(' | ')}`;
    }).toBe('heard');
    await this.person.page.evaluate(() => (window as unknown as Heard).peykHeard.splice(0));
  }

  /** Waits until the focus has come here by itself. */
  async arrives(at: string | RegExp): Promise<void> {
    if (typeof at === 'string') await eventually(() => this.focus()).toBe(at);
    else await eventually(() => this.focus()).toMatch(at);
  }

  /** What is wrong with the tree of the page: landmarks, headings, controls without a name. */
  async faults(): Promise<string[]> {
    const { nodes } = await this.#session.send('Accessibility.getFullAXTree');
    const seen = (nodes as Node[]).filter(node => !node.ignored);
    const named = (role: string) => seen.filter(node => node.role?.value === role).map(spoken);
    const levels = seen.filter(node => node.role?.value === 'heading' && property(node, 'level') === 1);
    return [
      ...(named('main').length === 1 ? [] : [`${named('main').length} main landmarks`]),
      ...(levels.length === 1 ? [] : [`${levels.length} headings of level 1`]),
      ...seen.filter(node => controls.has(String(node.role?.value)) && !node.name?.value).map(spoken),
      ...named('navigation').filter((name, at, all) => all.indexOf(name) !== at),
    ];
  }
}

const spoken = ({ role, name }: Node): string => `${role?.value ?? ''} ${name?.value ?? ''}`.trim();
const property = (node: Node, name: string): unknown => node.properties?.find(one => one.name === name)?.value.value;

type Heard = { peykHeard: string[] };

/** Runs in the page. A region speaks when its content changes; an alert also when it appears. */
function listenToLiveRegions(): void {
  const heard: string[] = [];
  (window as unknown as Heard).peykHeard = heard;
  const live = '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"]';
  const elementOf = (node: Node | globalThis.Node) => (node instanceof Element ? node : (node as Text).parentElement);
  new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) {
      const region = elementOf(target)?.closest(live);
      const alerts = [...addedNodes].flatMap(node =>
        node instanceof Element
          ? [...(node.matches('[role="alert"]') ? [node] : []), ...node.querySelectorAll('[role="alert"]')]
          : [],
      );
      for (const one of region ? [region] : alerts) {
        const text = one.textContent?.trim();
        if (text) heard.push(text);
      }
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}
