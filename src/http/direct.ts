// The JSON form of the interface, which nearly every client speaks: fixed paths, one method, a body of bytes. Node's server
// hands it here before the framework sees it, which saves 15 of the 100 µs that a single send costs in this process.
// Everything else (XML, panel, health, unknown paths) is the framework's, and while the server closes all of it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, ApiServices } from '../api/call.ts';
import { closeEnvelope } from '../api/envelope.ts';
import { type Operation, operations } from '../api/operations.ts';
import type { Admission } from './admission.ts';
import { announcedBytes, readBody } from './body.ts';
import { answerHeaders, answerTo, faultCode, jsonForm } from './serve.ts';

/** Whether the request was one of ours. */
export type Direct = (message: IncomingMessage, response: ServerResponse) => boolean;

export type DirectOptions = {
  admission: Admission;
  /** The caller's address, also behind a trusted proxy. */
  addressOf(message: IncomingMessage): string;
  isClosing(): boolean;
};

const usualHeaders = Object.entries(answerHeaders(jsonForm, 200)).flat();
const headersOfTrouble = Object.entries(answerHeaders(jsonForm, 503)).flat();
const operationsByPath = new Map<string, Operation>(
  operations.flatMap(one => [one.path, ...(one.aliases ?? [])].map(path => [`/v1/${path}/json`, one] as const)),
);

export function direct(services: ApiServices, options: DirectOptions): Direct {
  return (message, response) => {
    const operation = message.method === 'POST' ? operationsByPath.get(pathOf(message.url!)) : undefined;
    if (!operation || options.isClosing()) return false;
    void answer(services, options, operation, message, response);
    return true;
  };
}

/** Without a query and without a slash at the end. */
function pathOf(url: string): string {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

async function answer(
  services: ApiServices,
  { admission, addressOf }: DirectOptions,
  operation: Operation,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let leave = () => {};
  let given: Answer;
  try {
    leave = await admission.enter(announcedBytes(message));
    const body = await readBody(message);
    given = await answerTo(services, operation, jsonForm, message.headers, addressOf(message), body);
  } catch (error) {
    const code = faultCode(services.log, message.url!, error);
    given = { code, body: closeEnvelope(code) };
  } finally {
    leave();
  }
  write(response, given);
}

function write(response: ServerResponse, { code, body }: Answer): void {
  const text = jsonForm.write(body);
  const headers = code === 503 ? headersOfTrouble : usualHeaders;
  response.writeHead(code, [...headers, 'content-length', String(Buffer.byteLength(text))]);
  response.end(text);
}
