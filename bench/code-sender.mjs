// Sends one-time codes at a steady rate, whatever the answers are, from a process of its own, and records when each was
// answered and how. Each `@` of the template becomes the number.
import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { now } from './smsc.mjs';

export function sendCodes(request) {
  const child = fork(fileURLToPath(import.meta.url), ['sender']);
  return new Promise((resolve, reject) => {
    child.once('message', said => {
      child.kill();
      resolve(said);
    });
    child.once('exit', code => reject(new Error(`the sender of codes ended (${code})`)));
    child.send(request);
  });
}

async function send({ url, template, firstNumber, rate, seconds }) {
  const agent = new Agent({ keepAlive: true });
  const answered = {};
  const times = [];
  const codes = {};
  const pending = [];
  const began = now();
  for (let i = 0; i < rate * seconds; i++) {
    const wait = began + (i * 1_000) / rate - now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    pending.push(
      post(url, agent, template.replaceAll('@', String(firstNumber + i))).then(({ code, ms }) => {
        codes[code] = (codes[code] ?? 0) + 1;
        if (code !== 200) return;
        answered[firstNumber + i] = now();
        times.push(ms);
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  return { answered, times, codes };
}

function post(url, agent, text) {
  const began = now();
  return new Promise(resolve => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(url, { method: 'POST', agent, headers }, answer => {
      answer.resume().on('end', () => resolve({ code: answer.statusCode, ms: now() - began }));
    });
    sent.on('error', error => resolve({ code: error.code ?? 'error', ms: 0 }));
    sent.end(text);
  });
}

if (process.argv[2] === 'sender') process.on('message', async request => process.send(await send(request)));
