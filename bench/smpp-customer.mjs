// A customer over SMPP: submits one by one, records when each was answered and when its receipt came, and acknowledges receipts
// or not.
import { connect } from 'node:net';
import { now } from './smsc.mjs';
import { answerBit, commands, frames, messageBody, pdu } from './wire.mjs';

export async function boundCustomer(address, { systemId, password }, { acknowledges = true } = {}) {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host).setNoDelay();
  const waiting = new Map();
  const receipts = new Map();
  let sequence = 1;
  const ask = (command, body) =>
    new Promise((resolve, reject) => {
      waiting.set(sequence, { resolve, reject });
      socket.write(pdu(command, 0, sequence++, body));
    });
  frames(socket, (command, status, number, frame) => {
    if (command === commands.deliver) {
      const id = /id:(\S+)/.exec(frame.latin1Slice(16))?.[1];
      if (!receipts.has(id)) receipts.set(id, now());
      if (acknowledges) socket.write(pdu(answerBit | commands.deliver, 0, number, '\0'));
    } else if (command >= answerBit) {
      waiting.get(number)?.resolve({ status, id: frame.latin1Slice(16, frame.length - 1), at: now() });
      waiting.delete(number);
    } else socket.write(pdu(command | answerBit, 0, number));
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const one of waiting.values()) one.reject(new Error('the bind was lost'));
  });
  const { status } = await ask(commands.bindTransceiver, `${systemId}\0${password}\0\0\x34\0\0\0`);
  if (status !== 0) throw new Error(`the bind was refused: ${status}`);
  return {
    receipts,
    submit: (to, text) => ask(commands.submit, messageBody({ from: 'BENCH', to, text, registered: 1 })),
    end: () => socket.destroy(),
  };
}
