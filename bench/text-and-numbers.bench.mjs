// The cost of reading the recipients of a full order beside parsing its JSON, which is unavoidable. Goal: less than half. Also
// the preparation of a long text. Needs a build: `npm run build`, then `node bench/text-and-numbers.bench.mjs`.

import { parseRecipients } from '../dist/src/accept/recipients.js';
import { parseNumbers } from '../dist/src/numbers/phone.js';
import { prepareText } from '../dist/src/text/prepare.js';

const recipients = 50_000;
const rounds = 30;
const forms = [n => `${n}`, n => `90${n}`, n => `+90${n}`, n => `0${n}`];
const prefixes = [530, 532, 535, 541, 543, 501, 505, 552, 555];
const number = Array.from({ length: recipients }, (_, i) =>
  forms[i % forms.length](prefixes[i % prefixes.length] * 10_000_000 + i * 199),
);
const body = JSON.stringify({
  request: { order: { sender: 'APITEST', message: { text: 'x', receipents: { number } } } },
});

// The best round, because everything else on a shared machine only adds noise.
function bestMs(run) {
  const times = Array.from({ length: rounds }, () => {
    const started = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - started) / 1e6;
  });
  return Math.min(...times);
}

const out = new Float64Array(recipients);
let parsed;
const jsonMs = bestMs(() => {
  parsed = JSON.parse(body);
});
// A fresh parse before each round: strings as the parser leaves them, not ones already read.
const bothMs = bestMs(() => {
  parsed = JSON.parse(body);
  parseNumbers(parsed.request.order.message.receipents.number, false, out);
});
const numbersMs = bestMs(() => parseNumbers(parsed.request.order.message.receipents.number, false, out));
const draft = () => ({
  sender: 'APITEST',
  texts: [{ text: 'x', recipients: parsed.request.order.message.receipents.number }],
});
const allMs = bestMs(() => parseRecipients(draft(), false));
if (out.includes(0)) throw new Error('a good number was refused');

const text = 'Sayın üyemiz, siparişiniz yola çıktı. “İyi günler” dileriz… '.repeat(17);
const texts = 1_000;
const textMs = mode =>
  bestMs(() => {
    for (let i = 0; i < texts; i++) prepareText(text, mode);
  });

console.log(`JSON.parse of ${recipients} recipients (${(body.length / 1024).toFixed(0)} kB): ${jsonMs.toFixed(2)} ms`);
console.log(`parseNumbers over them: ${numbersMs.toFixed(2)} ms; both together: ${bothMs.toFixed(2)} ms`);
console.log(`parseNumbers / JSON.parse = ${(numbersMs / jsonMs).toFixed(2)} (aim: below 0.5)`);
console.log(
  `with merging and naming the set: ${allMs.toFixed(2)} ms / JSON.parse = ${(allMs / jsonMs).toFixed(2)} (the guard against duplicates included)`,
);
for (const mode of ['english', 'turkish', 'unicode']) {
  console.log(`prepareText, ${text.length} characters, ${mode}: ${((textMs(mode) / texts) * 1000).toFixed(1)} µs`);
}
