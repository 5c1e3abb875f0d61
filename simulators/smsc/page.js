// The row of phones: loads what is there, then follows the live feed. The newest phone stands first; the
// page keeps 24 phones with 100 bubbles each, so that a load run does not fill the browser.
import { WORDS } from './page-words.js';

const PHONES_MAX = 24;
const BUBBLES_MAX = 100;
const TO_USUAL = '7889';

const row = document.querySelector('#phones');
const phones = new Map();
let language = localStorage.getItem('language') === 'en' ? 'en' : 'tr';
let waiting = null;
let state = { word: 'connecting', skipped: 0 };

const word = name => WORDS[language][name] ?? name;

function phoneOf(number) {
  const known = phones.get(number);
  if (known) return known;
  const section = document.querySelector('#phone').content.firstElementChild.cloneNode(true);
  const form = section.querySelector('form');
  const phone = { number, section, form, bubbles: section.querySelector('ol'), shown: new Set(), isAdded: false };
  section.querySelector('h2').textContent = readable(number);
  form.elements.to.value = localStorage.getItem('to') ?? TO_USUAL;
  form.addEventListener('submit', event => {
    event.preventDefault();
    write(phone);
  });
  form.elements.text.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  phones.set(number, phone);
  translate(section);
  phone.bubbles.tabIndex = 0;
  section.querySelector('.fate').dataset.fate = fateOf(number);
  label(phone);
  return phone;
}

/* As in fates.ts: the outcome by the last digits of a number. */
function fateOf(number) {
  if (/(9001|9003)$/.test(number)) return 'off';
  return /(9002|9009)$/.test(number) ? 'rejects' : 'on';
}

function label(phone) {
  const fate = phone.section.querySelector('.fate');
  fate.textContent = word(fate.dataset.fate);
  phone.bubbles.setAttribute('aria-label', `${word('messagesOf')} ${readable(phone.number)}`);
}

function readable(number) {
  const turkish = /^90(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(number);
  return turkish ? `+90 ${turkish.slice(1).join(' ')}` : number;
}

function bubble(phone, { head, text, at, mine = false }) {
  const item = document.createElement('li');
  item.className = mine ? 'bubble mine' : 'bubble';
  for (const [tag, content] of Object.entries({ b: head, p: text })) {
    const element = document.createElement(tag);
    element.textContent = content;
    item.append(element);
  }
  const time = document.createElement('time');
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleTimeString(language);
  item.append(time);
  phone.bubbles.insertBefore(item, firstAfter(phone, time.dateTime));
  while (phone.bubbles.childElementCount > BUBBLES_MAX) phone.bubbles.firstElementChild.remove();
  showNewest(phone);
}

/* Earlier messages may arrive after later ones: history is read when a phone is added. */
function firstAfter(phone, at) {
  let next = null;
  for (let one = phone.bubbles.lastElementChild; one; one = one.previousElementSibling) {
    if (one.querySelector('time').dateTime <= at) break;
    next = one;
  }
  return next;
}

/* The newest message stands last and is in view, as on any phone. */
function showNewest(phone) {
  phone.bubbles.scrollTop = phone.bubbles.scrollHeight;
}

function show(messages) {
  for (const message of messages) {
    const { from, to, text, parts, receivedAt } = message;
    const phone = phoneOf(to);
    const name = JSON.stringify(message);
    if (phone.shown.has(name)) continue;
    phone.shown.add(name);
    const head = parts > 1 ? `${from} · ${parts} ${word('parts')}` : from;
    bubble(phone, { head, text, at: new Date(receivedAt) });
    bringForward(phone);
  }
}

/* A phone somebody is writing on stays where it is. */
function bringForward(phone) {
  phones.delete(phone.number);
  phones.set(phone.number, phone);
  if (!phone.section.isConnected || !row.contains(document.activeElement)) {
    row.prepend(phone.section);
    row.scrollLeft = 0;
  }
  showNewest(phone);
  for (const [number, oldest] of phones) {
    if (phones.size <= PHONES_MAX) break;
    if (oldest.section.contains(document.activeElement)) continue;
    oldest.section.remove();
    phones.delete(number);
  }
  document.querySelector('#empty').hidden = phones.size > 0;
}

async function write(phone) {
  const { to, text } = phone.form.elements;
  const output = phone.form.querySelector('output');
  const button = phone.form.querySelector('button');
  const message = { from: phone.number, to: to.value.replace(/\D/g, ''), text: text.value };
  localStorage.setItem('to', message.to);
  button.disabled = true;
  output.textContent = word('sending');
  try {
    const answer = await fetch('inbound', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    if (!answer.ok) throw new Error((await answer.json()).error);
    bubble(phone, { head: `${word('me')} → ${message.to}`, text: message.text, at: new Date(), mine: true });
    text.value = '';
    output.textContent = word('sent');
  } catch (error) {
    output.textContent = `${word('failed')}: ${error.message}`;
  } finally {
    button.disabled = false;
    text.focus();
  }
}

function translate(root) {
  for (const element of root.querySelectorAll('[data-words]')) {
    if (element.id !== 'state') element.textContent = word(element.dataset.words);
  }
  for (const element of root.querySelectorAll('[data-hint]')) element.placeholder = word(element.dataset.hint);
  for (const element of root.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', word(element.dataset.label));
  }
}

function showState() {
  const more = state.skipped > 0 ? ` · ${state.skipped} ${word('skipped')}` : '';
  document.querySelector('#state').textContent = word(state.word) + more;
  document.querySelector('#state').dataset.state = state.word;
}

function speak() {
  document.documentElement.lang = language;
  document.title = `Peyk · ${word('title')}`;
  translate(document);
  for (const phone of phones.values()) label(phone);
  const button = document.querySelector('#language');
  button.textContent = word('other');
  button.lang = language === 'tr' ? 'en' : 'tr';
  showState();
}

function forget() {
  phones.clear();
  row.replaceChildren();
  document.querySelector('#empty').hidden = false;
}

/* Messages that arrived while the feed was disconnected are read first; the feed's new ones wait meanwhile. */
async function reload() {
  waiting = [];
  const answer = await fetch('messages');
  const messages = await answer.json();
  for (const phone of phones.values()) {
    for (const old of phone.bubbles.querySelectorAll('.bubble:not(.mine)')) old.remove();
    phone.shown.clear();
  }
  const added = [...phones.values()].filter(phone => phone.isAdded);
  await Promise.all(added.map(history));
  show(messages);
  show(waiting);
}

/* What a phone got before it was added: the page follows only the newest messages of all phones. */
async function history(phone) {
  const answer = await fetch(`messages?to=${phone.number}`);
  if (answer.ok) show((await answer.json()).slice(-BUBBLES_MAX));
}

function follow() {
  const feed = new EventSource('events');
  feed.addEventListener('open', async () => {
    await reload().catch(() => {});
    waiting = null;
    state = { word: 'live', skipped: 0 };
    showState();
  });
  feed.addEventListener('error', () => {
    state = { ...state, word: 'lost' };
    showState();
  });
  feed.addEventListener('messages', event => {
    const { messages, skipped } = JSON.parse(event.data);
    if (waiting) waiting.push(...messages);
    else show(messages);
    state = { ...state, skipped: state.skipped + skipped };
    showState();
  });
  feed.addEventListener('reset', forget);
}

document.querySelector('#language').addEventListener('click', () => {
  language = language === 'tr' ? 'en' : 'tr';
  localStorage.setItem('language', language);
  speak();
});
document.querySelector('#add').addEventListener('submit', event => {
  event.preventDefault();
  const input = event.target.elements.number;
  const number = input.value.replace(/\D/g, '').replace(/^0?(?=5\d{9}$)/, '90');
  if (number.length < 3) return;
  const phone = phoneOf(number);
  phone.isAdded = true;
  bringForward(phone);
  history(phone).catch(() => {});
  input.value = '';
});

speak();
follow();
