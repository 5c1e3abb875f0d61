// Callers in a process of their own, arriving at a fixed rate whatever the answers are (an open loop: a slow server gets no
// fewer). Each takes a free connection, or a new one up to a bound; without one the call is counted as missed. The parent sends
// the plan and gets the results at the end.
import { connect } from 'node:net';

const tickMs = 10;

process.on('message', async request => process.send(await crowd(request)));

async function crowd({ host, port, head, tail, firstNumber, rate, connections, seconds }) {
  const free = [];
  const said = { offered: 0, none: 0, accepted: 0, refused: 0, withRetryAfter: 0, others: {}, lost: 0, underWay: 0 };
  const times = { accepted: [], refused: [] };
  let open = 0;
  let number = firstNumber;

  const opened = () => {
    open++;
    const caller = { socket: connect(port, host), got: '', since: 0 };
    caller.socket.setNoDelay();
    caller.socket.on('data', part => heard(caller, part));
    caller.socket.on('error', () => {});
    caller.socket.on('close', () => {
      open--;
      if (caller.since) said.lost++;
      if (caller.since) said.underWay--;
      caller.since = 0;
      const at = free.indexOf(caller);
      if (at >= 0) free.splice(at, 1);
    });
    return caller;
  };
  const heard = (caller, part) => {
    caller.got += part.latin1Slice();
    const end = caller.got.indexOf('\r\n\r\n');
    if (end < 0 || caller.got.length < end + 4 + Number(/content-length: (\d+)/i.exec(caller.got)[1])) return;
    const code = caller.got.slice(9, 12);
    const ms = performance.now() - caller.since;
    if (code === '200') {
      said.accepted++;
      times.accepted.push(ms);
    } else if (code === '503') {
      said.refused++;
      times.refused.push(ms);
      if (/^retry-after: \d+\r$/im.test(caller.got.slice(0, end + 2))) said.withRetryAfter++;
    } else said.others[code] = (said.others[code] ?? 0) + 1;
    said.underWay--;
    caller.since = 0;
    caller.got = '';
    free.push(caller);
  };
  const comes = () => {
    said.offered++;
    const caller = free.pop();
    if (!caller) return void said.none++;
    const text = `${head}${number++}${tail}`;
    caller.since = performance.now();
    said.underWay++;
    caller.socket.write(
      `POST /v1/send-sms/json HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    );
  };

  // All connections open before the clock starts, because connecting is measured elsewhere.
  const arrived = Array.from({ length: connections }, opened);
  for (const caller of arrived)
    caller.socket.write('POST /v1/none/json HTTP/1.1\r\nhost: bench\r\ncontent-length: 0\r\n\r\n');
  const welcome = performance.now() + 60_000;
  while (free.length < connections && performance.now() < welcome)
    await new Promise(resolve => setTimeout(resolve, 20));
  Object.assign(said, { accepted: 0, underWay: 0, others: {} });
  times.accepted.length = 0;

  const began = performance.now();
  await new Promise(resolve => {
    const clock = setInterval(() => {
      const passed = Math.min(seconds, (performance.now() - began) / 1_000);
      while (said.offered < Math.floor(passed * rate)) comes();
      if (passed < seconds) return;
      clearInterval(clock);
      resolve();
    }, tickMs);
  });
  const atEnd = said.underWay;
  const lastWord = performance.now() + 30_000;
  while (said.underWay > 0 && performance.now() < lastWord) await new Promise(resolve => setTimeout(resolve, 50));
  const silent = said.underWay;
  for (const one of free.splice(0)) one.socket.destroy();
  return { ...said, atEnd, silent, connections: open, number, accepted: said.accepted, times: summary(times) };
}

function summary(times) {
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => {
      const sorted = list.sort((a, b) => a - b);
      const at = share => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
      return [name, { p50: at(0.5), p99: at(0.99) }];
    }),
  );
}
