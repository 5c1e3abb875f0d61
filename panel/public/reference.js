// The tries of the reference page (/docs/api): each form posts its members, with the credentials above, to its path on this
// server, and shows what came back.
const { badJson, unreachable } = document.body.dataset;

for (const form of document.querySelectorAll('form[data-path]'))
  form.addEventListener('submit', event => {
    event.preventDefault();
    void attempt(form);
  });

async function attempt(form) {
  const button = form.querySelector('button');
  const result = form.querySelector('.result');
  const members = parsed(form.querySelector('textarea').value);
  if (!members) return show(result, badJson);
  button.disabled = true;
  const authentication = { key: entered('key'), hash: entered('hash') };
  try {
    const answer = await fetch(form.dataset.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ request: { authentication, ...members } }),
      credentials: 'omit',
    });
    show(result, `HTTP ${answer.status}\n${JSON.stringify(await answer.json(), null, 2)}`);
  } catch {
    show(result, unreachable);
  } finally {
    button.disabled = false;
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function entered(id) {
  return document.getElementById(id).value.trim();
}

function show(result, text) {
  const block = document.createElement('pre');
  block.tabIndex = 0;
  block.textContent = text;
  result.replaceChildren(block);
}
