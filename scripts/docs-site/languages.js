// Samples of one call in several languages: tabs instead of a list of folded samples. The choice holds for every page, the
// panel's too (panel/src/preferences.ts).
const key = 'peyk-snippet';
const groups = [];

const kept = () => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

function choose(language, from) {
  for (const group of groups)
    if (group === from || group.names.includes(language))
      group.show(group.names.includes(language) ? language : group.names[0]);
}

for (const [at, box] of document.querySelectorAll('.languages').entries()) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  const parts = [...box.querySelectorAll(':scope > details')].map((folded, no) => {
    const name = folded.querySelector('summary').textContent.trim();
    const tab = document.createElement('button');
    const panel = document.createElement('div');
    Object.assign(tab, { type: 'button', id: `language-${at}-${no}`, textContent: name });
    Object.assign(panel, { id: `sample-${at}-${no}` });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    panel.append(...[...folded.children].slice(1));
    folded.replaceWith(panel);
    list.append(tab);
    return { name, tab, panel };
  });
  const group = {
    names: parts.map(part => part.name),
    show(name) {
      for (const { name: own, tab, panel } of parts) {
        tab.setAttribute('aria-selected', String(own === name));
        tab.tabIndex = own === name ? 0 : -1;
        panel.hidden = own !== name;
      }
    },
  };
  groups.push(group);
  list.setAttribute('aria-label', box.dataset.label);
  const pick = (tab, name) => {
    const before = tab.getBoundingClientRect().top;
    choose(name, group);
    // Samples above may have become longer or shorter.
    scrollBy(0, tab.getBoundingClientRect().top - before);
    try {
      localStorage.setItem(key, name);
    } catch {
      // Applies to this page only.
    }
  };
  list.addEventListener('click', event => {
    const part = parts.find(one => one.tab === event.target);
    if (part) pick(part.tab, part.name);
  });
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = parts[parts.findIndex(one => one.tab === event.target) + step];
    if (!next) return;
    next.tab.focus();
    pick(next.tab, next.name);
  });
  box.prepend(list);
  group.show(group.names.includes(kept()) ? kept() : group.names[0]);
}
