// A carrier in a process of its own: takes every submit_sm, records the arrival for watched numbers, reports DELIVRD.
// `launchSmsc()` starts it; messages from the parent change its behaviour.
import { fork } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { answerBit, commands, frames, messageBody, pdu, submitted } from './wire.mjs';

const throttled = 0x58;
const receiptTickMs = 20;
const isCarrier = process.argv[2] === 'carrier';

/** Milliseconds of a clock that all processes of a machine share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;

export async function launchSmsc() {
  const child = fork(fileURLToPath(import.meta.url), ['carrier']);
  const answers = [];
  child.on('message', said => answers.shift()?.(said));
  const ask = request =>
    new Promise(resolve => {
      answers.push(resolve);
      child.send(request);
    });
  const { port } = await ask({});
  return {
    port,
    pid: child.pid,
    /** Watches numbers with this prefix from now on; `answerMs`: delay of each answer; `refusing`: every submit is throttled. */
    set: request => ask(request),
    /** When each watched number first came, and the counts of submits and acknowledged receipts. */
    read: () => ask({ read: true }),
    stop: () => child.kill(),
  };
}

function carrier() {
  const how = { watch: '-', answerMs: 0, refusing: false, receipts: true };
  let seen = {};
  let acknowledged = 0;
  let submits = 0;
  let nextId = 1;
  let due = [];

  const server = createServer(socket => {
    socket.setNoDelay().on('error', () => {});
    frames(socket, (command, _status, sequence, frame) => {
      if (command === commands.submit) return take(socket, sequence, frame);
      if (command === (commands.deliver | answerBit) >>> 0) return void acknowledged++;
      if (command < answerBit) socket.write(pdu(command | answerBit, 0, sequence, `\0`));
    });
  }).listen(0, '127.0.0.1');

  function take(socket, sequence, frame) {
    const { number, wantsReceipt } = submitted(frame);
    const refused = how.refusing;
    if (!refused) submits++;
    if (number.startsWith(how.watch)) seen[number] ??= now();
    const id = `b${nextId++}`;
    const answer = pdu(commands.submit | answerBit, refused ? throttled : 0, sequence, refused ? '' : `${id}\0`);
    if (how.answerMs > 0) setTimeout(() => socket.write(answer), how.answerMs);
    else socket.write(answer);
    if (!refused && wantsReceipt && how.receipts) due.push({ socket, id, number, at: now() + how.answerMs });
  }

  setInterval(() => {
    const time = now();
    const ready = due.filter(one => one.at <= time);
    due = due.filter(one => one.at > time);
    for (const { socket, id, number } of ready) {
      const text = `id:${id} sub:001 dlvrd:001 submit date:2611180000 done date:2611180000 stat:DELIVRD err:000 text:`;
      if (socket.writable)
        socket.write(
          pdu(
            commands.deliver,
            0,
            nextId++ & 0x7fffffff,
            messageBody({ from: number, to: 'BENCH', text, esmClass: 4 }),
          ),
        );
    }
  }, receiptTickMs);

  process.on('message', request => {
    const { read, ...change } = request;
    const said = { port: server.address().port, seen, submits, acknowledged };
    if (!read) {
      Object.assign(how, change);
      seen = {};
    }
    process.send(said);
  });
  process.on('disconnect', () => process.exit());
}

if (isCarrier) carrier();
