// The npm package `smpp`, as far as the tests' carriers use it: it shares no code with ours or the simulator's.
import { createRequire } from 'node:module';
import type { Server } from 'node:net';

export type PackagePdu = {
  command_status: number;
  destination_addr?: string;
  source_addr?: string;
  short_message?: { message: string | Buffer };
  response(options?: object): PackagePdu;
};
export type PackageSession = {
  on(event: string, listener: (pdu: PackagePdu) => void): void;
  send(pdu: PackagePdu): boolean;
  deliver_sm(options: object, answered: (pdu: PackagePdu) => void): void;
  /** Ends it from this side; what the peer still sends is read. */
  close(): void;
  destroy(): void;
};
type Package = { createServer(onSession: (session: PackageSession) => void): Server };
export const smpp = createRequire(import.meta.url)('smpp') as Package;

export const bindCommands = ['bind_transceiver', 'bind_transmitter', 'bind_receiver'];
