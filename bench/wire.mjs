// The few PDUs of SMPP 3.4 that benchmarks need at both ends, written independently of `src/smpp`, so that one benchmark runs
// against any build and shares no bug with it.
const headerBytes = 16;

export const commands = {
  bindTransceiver: 0x09,
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submit: 0x04,
  deliver: 0x05,
  unbind: 0x06,
  enquireLink: 0x15,
};
export const answerBit = 0x80000000;

export function pdu(command, status, sequence, body = '') {
  const frame = Buffer.allocUnsafe(headerBytes + body.length);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(command >>> 0, 4);
  frame.writeUInt32BE(status, 8);
  frame.writeUInt32BE(sequence, 12);
  frame.latin1Write(body, headerBytes);
  return frame;
}

/** Calls `take(command, status, sequence, frame)` for each complete PDU of the stream. */
export function frames(socket, take) {
  let rest = Buffer.alloc(0);
  socket.on('data', part => {
    const data = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    let at = 0;
    while (data.length - at >= headerBytes && data.length - at >= data.readUInt32BE(at)) {
      const end = at + data.readUInt32BE(at);
      take(data.readUInt32BE(at + 4), data.readUInt32BE(at + 8), data.readUInt32BE(at + 12), data.subarray(at, end));
      at = end;
    }
    rest = data.subarray(at);
  });
}

function pastText(frame, at) {
  return frame.indexOf(0, at) + 1;
}

/** The recipient of a submit_sm, and whether it asks for a receipt. */
export function submitted(frame) {
  const source = pastText(frame, headerBytes) + 2;
  const destination = pastText(frame, source) + 2;
  const after = pastText(frame, destination);
  const number = frame.latin1Slice(destination, after - 1);
  const registered = frame[pastText(frame, pastText(frame, after + 3))];
  return { number, wantsReceipt: registered !== 0 };
}

/** The body of a submit_sm, or of a deliver_sm with `esmClass` 4. */
export function messageBody({ from, to, text, esmClass = 0, registered = 0 }) {
  const flags = `\0\0\0\0${String.fromCharCode(registered)}\0\0\0`;
  return `\0\x05\0${from}\0\x01\x01${to}\0${String.fromCharCode(esmClass)}${flags}${String.fromCharCode(text.length)}${text}`;
}
