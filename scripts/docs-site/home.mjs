// The part of the first page above its text: a sentence, a terminal with a first SMS, links by role, and the most frequent
// errors.
import { escaped } from './markdown.mjs';

const entrances = {
  tr: [
    ['Yeni misiniz?', 'Tek komut, ilk SMS benzetilmiş bir telefonda.', ['start', 'test-numbers', 'cli']],
    [
      'Panelden gönderiyorsanız',
      'İlk mesajdan raporlara, adım adım ve resimli.',
      ['guide', 'guide#lists-from-excel', 'iys'],
    ],
    [
      'Programla gönderiyorsanız',
      'Çalışan örnekler, hatalar ve her birinde ne yapılacağı.',
      ['interface', 'errors', 'webhooks'],
    ],
    ['İşletiyorsanız', 'Operatör sözleşmesinden ilk alarma kadar.', ['going-live', 'moving', 'runbook']],
  ],
  en: [
    ['New here?', 'One command, and the first SMS is on a simulated phone.', ['start', 'test-numbers', 'cli']],
    [
      'You send from the panel',
      'From the first message to reports, step by step, with pictures.',
      ['guide', 'guide#lists-from-excel', 'iys'],
    ],
    [
      'You send by program',
      'Examples that run, errors and what to do about each.',
      ['interface', 'errors', 'webhooks'],
    ],
    ['You run it', 'From the contract with a carrier to the first alert.', ['going-live', 'moving', 'runbook']],
  ],
};

const say = {
  tr: {
    title: 'Tek komutla kendi SMS sunucunuz',
    lead: 'Tek kullanımlık şifre, bildirim, kampanya; Türkiye’deki entegrasyonların zaten konuştuğu v1 arayüzüyle. Veri sizde, operatör sözleşmesi sizin.',
    start: 'Beş dakikada başla',
    reference: 'API başvurusu',
    phones: 'Telefonlar',
    stations: ['kabul edildi', 'operatörde', 'iletildi'],
    terminal: 'Terminalde ilk SMS',
    errors: 'En çok sorulan hatalar',
    causes: [
      ['401', 'Hash tutmuyor, IP listede değil ya da API kapalı'],
      ['450', 'Başlık henüz onaylı değil'],
      ['451', 'Aynı sipariş 10 dakika içinde ikinci kez geldi'],
    ],
    lists: 'Listeler',
  },
  en: {
    title: 'Your own SMS server with one command',
    lead: 'One-time codes, notifications, campaigns, over the v1 interface that Turkish integrations already speak. Your data, your contract with the carrier.',
    start: 'Start in five minutes',
    reference: 'API reference',
    phones: 'Phones',
    stations: ['accepted', 'with carrier', 'delivered'],
    terminal: 'The first SMS in a terminal',
    errors: 'Errors that are asked for most',
    causes: [
      ['401', 'The hash does not fit, the address is not listed, or the API is off'],
      ['450', 'The sender ID is not approved yet'],
      ['451', 'The same order came twice within 10 minutes'],
    ],
    lists: 'Lists',
  },
};

export function homeHtml({ pages, language, addressOf }) {
  const words = say[language];
  const linkTo = place => {
    const [name, anchor] = place.split('#');
    const page = pages.find(one => one.name === name);
    if (!page) return '';
    const title = anchor && words.lists ? entranceTitle(anchor, language) : page[language];
    return `<li><a href="${addressOf(page, language)}${anchor ? `#${anchor}` : ''}">${escaped(title)}</a></li>`;
  };
  const errors = addressOf(
    pages.find(one => one.name === 'errors'),
    language,
  );
  const start = addressOf(
    pages.find(one => one.name === 'start'),
    language,
  );
  const [accepted, carrier, delivered] = words.stations;
  return `<div class="hero"><div><h1 id="peyk">${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="calls"><a class="call" href="${start}">${words.start}</a> <a class="call second" href="/docs/api?lang=${language}">${words.reference}</a></p></div>
<pre class="terminal" tabindex="0" role="region" aria-label="${words.terminal}"><code><i>$</i> npm ci &amp;&amp; npm start

<i>Panel</i>       http://127.0.0.1:8080/panel/
<i>${words.phones.padEnd(11)}</i> http://127.0.0.1:2780

<i>$</i> bin/peyk send 5550000000 <b>"Merhaba"</b>
<em>///</em> ${accepted}  <em>///</em> ${carrier}  <b>||| ${delivered}</b> <i>0.4 s</i></code></pre></div>
<div class="entrances">${entrances[language]
    .map(
      ([title, text, links]) =>
        `<section><h2>${title}</h2><p>${text}</p><ul>${links.map(linkTo).join('')}</ul></section>`,
    )
    .join('\n')}</div>
<section class="asked"><h2>${words.errors}</h2><dl>${words.causes
    .map(([code, text]) => `<div><dt><a href="${errors}"><code>${code}</code></a></dt><dd>${text}</dd></div>`)
    .join('')}</dl></section>`;
}

const entranceTitle = (_anchor, language) => (language === 'tr' ? 'Excel’den liste' : 'Lists from Excel');
