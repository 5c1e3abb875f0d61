// `node scripts/kannel-interop.mjs` after a build: Kannel, a gateway that shares no line with ours, binds to our SMPP
// server and exchanges texts, receipts, life signs and an unbind with it. Everything is on loopback, on free ports and
// in a temporary folder. A tap between the two reads the PDU headers, because a session answers enquire_link and unbind
// by itself and tells nobody. Not part of `npm test`: Kannel comes from the system's packages.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, check, expectSoon, failures, runChecks } from './interop-checks.mjs';
import { findKannel, listening, login, loopback, service, startKannel, subscriber } from './kannel-peer.mjs';

const framesMax = 10_000;
const complaintsShownMax = 15;
const receiptAsked = 0x01;
const udhIndicator = 0x40;
const ucs2 = 8;

// The standard's numbers, written out, so that they do not come from the table under test.
const commands = {
  9: 'bind_transceiver',
  2147483657: 'bind_transceiver_resp',
  4: 'submit_sm',
  2147483652: 'submit_sm_resp',
  5: 'deliver_sm',
  2147483653: 'deliver_sm_resp',
  21: 'enquire_link',
  2147483669: 'enquire_link_resp',
  6: 'unbind',
  2147483654: 'unbind_resp',
  2147483648: 'generic_nack',
};

// No small ç in GSM-7: the alphabet has only the capital, and Kannel sends that instead.
const texts = {
  gsm7: { text: 'Merhaba @ £ {Peyk} [1] €5 ~ Ünal Çok', parts: 1, dataCoding: 0 },
  ucs2: { text: 'Şişli İğdır: ağaç, ığ, öğün ve çşı', parts: 1, dataCoding: ucs2 },
  long: { text: `${'Uzun metin bölünerek gider. '.repeat(12)}Son.`, parts: 3, dataCoding: 0 },
  longUcs2: { text: `${'Uzun yazı da bölünür, şüphesiz. '.repeat(4)}Son.`, parts: 2, dataCoding: ucs2 },
};
const inboundText = 'Gelen yazı: ığdır';

async function ours() {
  try {
    const [server, receipt, decode] = await Promise.all(
      ['smpp/server', 'smpp/receipt', 'text/decode'].map(name => import(`../dist/src/${name}.js`)),
    );
    return { listen: server.listen, formatReceipt: receipt.formatReceipt, decodeUserData: decode.decodeUserData };
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') throw new Error('nothing is built: run "npm run build" first');
    throw error;
  }
}

/** The SMSC of this test: accepts every text, answers with an id, and sends the requested receipt. */
async function startSmsc({ listen, formatReceipt }) {
  const seen = { binds: [], submits: [], receipts: [], errors: [], closed: [], session: null };
  const onSubmit = (pdu, session) => {
    const messageId = `peyk-${seen.submits.length + 1}`;
    const { shortMessage, ...fields } = pdu.fields;
    seen.submits.push({ ...fields, messageId, shortMessage: Buffer.from(shortMessage) });
    session.respond('submit_sm_resp', pdu.sequence, 0, { messageId });
    if ((fields.registeredDelivery & receiptAsked) === 0) return;
    const now = new Date();
    const draft = { messageId, state: 'DELIVRD', submitDate: now, doneDate: now, withTlvs: true };
    const receipt = formatReceipt(draft);
    const address = { sourceAddr: fields.destinationAddr, destinationAddr: fields.sourceAddr };
    session.request('deliver_sm', { ...receipt.fields, ...address }, receipt.tlvs).then(
      answer => seen.receipts.push({ messageId, status: answer.status }),
      error => seen.errors.push(error.message),
    );
  };
  const server = await listen({
    port: 0,
    authorise: bind => {
      seen.binds.push(bind);
      return bind.systemId === login.systemId && bind.password === login.password ? 0 : 0x0e;
    },
    onSession: session => {
      seen.session = session;
      return {
        onSubmitAnswer() {},
        onSubmitLost() {},
        onRequest: pdu => pdu.command === 'submit_sm' && onSubmit(pdu, session),
        onClose: reason => seen.closed.push(reason),
        onProtocolError: error => seen.errors.push(error.message),
      };
    },
    onProtocolError: error => seen.errors.push(error.message),
  });
  atEnd(() => server.close());
  return { port: server.port, seen };
}

/** Forwards octets and records the command of every PDU: `kannel` for those from Kannel, `peyk` for ours. */
async function startTap(targetPort) {
  const frames = [];
  const sockets = new Set();
  const note = (socket, from) => {
    let rest = Buffer.alloc(0);
    socket.on('data', chunk => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0) && rest.readUInt32BE(0) >= 16) {
        const id = rest.readUInt32BE(4);
        const frame = { from, command: commands[id] ?? id.toString(16), status: rest.readUInt32BE(8) };
        if (frames.length < framesMax) frames.push(frame);
        rest = rest.subarray(rest.readUInt32BE(0));
      }
    });
  };
  const server = createServer(near => {
    const far = connect(targetPort, loopback);
    for (const [socket, other, from] of [
      [near, far, 'kannel'],
      [far, near, 'peyk'],
    ]) {
      sockets.add(socket);
      note(socket, from);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const port = await listening(server);
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const count = (from, command) =>
    frames.filter(one => one.from === from && one.command === command && one.status === 0).length;
  return { port, count, frames };
}

/** The parts of one message, joined by their concatenation data. */
function joined(parts, decodeUserData) {
  const decoded = parts.map(one =>
    decodeUserData(one.shortMessage, one.dataCoding, (one.esmClass & udhIndicator) !== 0),
  );
  const isWhole =
    parts.length === 1
      ? decoded[0].concat === null
      : decoded.every(one => one.concat?.total === parts.length) &&
        new Set(decoded.map(one => one.concat.reference)).size === 1;
  const inOrder = decoded.sort((a, b) => (a.concat?.sequence ?? 0) - (b.concat?.sequence ?? 0));
  return isWhole ? inOrder.map(one => one.text).join('') : null;
}

async function checkTexts({ seen }, kannel, decodeUserData) {
  for (const [name, wanted] of Object.entries(texts)) {
    const before = seen.submits.length;
    const answer = await kannel.send(wanted.text, wanted.dataCoding === ucs2);
    check(`${name}: Kannel takes the text`, answer.startsWith('202 '), answer);
    const parts = () => seen.submits.slice(before);
    await expectSoon(
      `${name}: arrives in ${wanted.parts} part(s)`,
      () => parts().length >= wanted.parts,
      () => `${parts().length}`,
    );
    const text = parts().length === 0 ? null : joined(parts(), decodeUserData);
    check(`${name}: reads as it was written`, text === wanted.text, text === wanted.text ? '' : `${text}`);
    const codings = new Set(parts().map(one => one.dataCoding));
    check(`${name}: data_coding ${wanted.dataCoding}`, codings.size === 1 && codings.has(wanted.dataCoding));
  }
}

async function checkReceipts({ seen }, { calls }) {
  const asked = seen.submits.filter(one => (one.registeredDelivery & receiptAsked) !== 0);
  // Kannel requests a receipt for only one part of a long text.
  check('receipts: asked for at least once per text', asked.length >= Object.keys(texts).length, `${asked.length}`);
  await expectSoon(
    'receipts: Kannel acknowledges every one',
    () => seen.receipts.length === asked.length && seen.receipts.every(one => one.status === 0),
    () => `${seen.receipts.length} of ${asked.length}`,
  );
  // Type 1 is Kannel's "delivered"; 8 is "accepted by the SMSC", which the submit_sm_resp alone causes.
  const delivered = () => new Set(calls.receipt.filter(call => call.type === '1').map(call => call.id));
  await expectSoon('receipts: each is reported under the id we gave', () =>
    asked.every(one => delivered().has(one.messageId)),
  );
}

async function checkInbound({ seen }, { calls }) {
  const shortMessage = Buffer.from(inboundText, 'utf16le').swap16();
  const fields = { sourceAddr: subscriber, sourceAddrTon: 1, sourceAddrNpi: 1, destinationAddr: service };
  const answer = await seen.session.request('deliver_sm', { ...fields, dataCoding: ucs2, shortMessage });
  check('inbound: Kannel acknowledges the deliver_sm', answer.status === 0);
  const isOurs = call => call.text === inboundText && call.from === `+${subscriber}` && call.to === service;
  await expectSoon(
    'inbound: reaches the service with text and numbers',
    () => calls.inbound.some(isOurs),
    () => (calls.inbound.some(isOurs) ? '' : JSON.stringify(calls.inbound)),
  );
}

async function checkLife({ seen }, tap) {
  const answer = await seen.session.request('enquire_link');
  check('enquire_link: ours is answered by Kannel', answer.status === 0);
  const asked = () => tap.count('kannel', 'enquire_link');
  const answered = () => tap.count('peyk', 'enquire_link_resp');
  await expectSoon(
    'enquire_link: Kannel’s are answered by us',
    () => asked() >= 2 && answered() === asked(),
    () => `${answered()} of ${asked()}`,
  );
}

async function checkEnd({ seen }, tap, kannel) {
  await kannel.stop();
  await expectSoon(
    'end: Kannel unbinds and we answer',
    () => tap.count('kannel', 'unbind') === 1 && tap.count('peyk', 'unbind_resp') === 1,
  );
  await expectSoon(
    'end: our session closes because the peer unbound',
    () => seen.closed.join() === 'the peer unbound',
    () => seen.closed.join(),
  );
  const exits = kannel.exits();
  check(
    'end: both programs leave with 0',
    exits.every(exit => exit === 0),
    exits.join(', '),
  );
}

function checkQuiet({ seen }, tap, kannel) {
  const { unexpectedAnswers, protocolErrors } = seen.session.counts;
  check(
    'quiet: no protocol error on our side',
    seen.errors.length === 0 && protocolErrors === 0,
    seen.errors.join('; '),
  );
  check('quiet: no answer that nobody waited for', unexpectedAnswers === 0);
  const refused = tap.frames.filter(one => one.command === 'generic_nack' || one.status !== 0);
  check('quiet: no PDU with an error status', refused.length === 0, refused.map(one => one.command).join(', '));
  const complaints = kannel.complaints().filter(line => /SMPP|PDU/.test(line));
  check('quiet: Kannel complains of no PDU', complaints.length === 0, complaints[0] ?? '');
}

async function main() {
  const programs = findKannel();
  const made = await ours();
  const folder = mkdtempSync(join(tmpdir(), 'peyk-kannel-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const smsc = await startSmsc(made);
  const tap = await startTap(smsc.port);
  const kannel = await startKannel(programs, folder, tap.port);
  atEnd(() => kannel.destroy());
  const isBound = await expectSoon(
    'bind: Kannel binds as a transceiver',
    () => smsc.seen.session?.bindType === 'transceiver',
    () => smsc.seen.binds.map(bind => bind.bindType).join(),
  );
  if (isBound) {
    kannel.startSmsbox();
    await checkTexts(smsc, kannel, made.decodeUserData);
    await checkReceipts(smsc, kannel);
    await checkInbound(smsc, kannel);
    await checkLife(smsc, tap);
    await checkEnd(smsc, tap, kannel);
    checkQuiet(smsc, tap, kannel);
  }
  if (failures() > 0) console.log(['', ...kannel.complaints().slice(-complaintsShownMax)].join('\n'));
}

await runChecks(main);
