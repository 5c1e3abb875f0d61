// The browser's part of the site: search, the list of pages on narrow screens, copying code.
import MiniSearch from 'minisearch';
import { searchOptions } from './fold.mjs';

const shownMax = 12;
const { index: indexAddress, copy, copied, none, results, fails } = document.body.dataset;

const menu = document.getElementById('menu');
const pages = document.getElementById('pages');
menu.hidden = false;
pages.classList.add('foldable');
menu.addEventListener('click', () => {
  const isOpen = pages.classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
});

const form = document.getElementById('search');
const input = form.querySelector('input');
const found = document.getElementById('found');
form.hidden = false;
let loading;

/** Loaded once, when the search is used first. */
function loadIndex() {
  loading ??= fetch(indexAddress)
    .then(answer => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))))
    .then(text => MiniSearch.loadJSON(text, searchOptions))
    .catch(error => {
      loading = undefined;
      throw error;
    });
  return loading;
}

async function search() {
  const wanted = input.value.trim();
  if (wanted === '') return hide();
  try {
    const index = await loadIndex();
    if (wanted === input.value.trim()) show(index.search(wanted));
  } catch {
    message(fails);
  }
}

function show(all) {
  if (all.length === 0) return message(none);
  const list = document.createElement('ul');
  for (const one of all.slice(0, shownMax)) {
    const link = document.createElement('a');
    link.href = one.address;
    const title = document.createElement('b');
    title.textContent = one.title;
    const place = document.createElement('small');
    place.textContent = `${one.page} · ${one.start}`;
    link.append(title, place);
    list.append(Object.assign(document.createElement('li')));
    list.lastChild.append(link);
  }
  const count = document.createElement('p');
  count.textContent = `${all.length} ${results}`;
  found.replaceChildren(count, list);
  found.hidden = false;
}

function message(text) {
  const line = document.createElement('p');
  line.textContent = text;
  found.replaceChildren(line);
  found.hidden = false;
}

function hide() {
  found.hidden = true;
  found.replaceChildren();
}

input.addEventListener('focus', () => void loadIndex().catch(() => {}));
input.addEventListener('input', () => void search());
form.addEventListener('submit', event => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
found.addEventListener('click', event => event.target.closest('a') && hide());
document.addEventListener('click', event => !form.contains(event.target) && hide());
document.addEventListener('keydown', event => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape' && form.contains(event.target)) {
    hide();
    input.focus();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && form.contains(event.target)) {
    const places = [input, ...found.querySelectorAll('a')];
    const next = places[places.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next) event.preventDefault();
    next?.focus();
  }
});

for (const block of document.querySelectorAll('article pre:not(.terminal)')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = copied;
    button.addEventListener('blur', () => (button.textContent = copy), { once: true });
  });
  const box = document.createElement('div');
  box.className = 'code';
  block.replaceWith(box);
  box.append(block);
  if (navigator.clipboard) box.append(button);
}
