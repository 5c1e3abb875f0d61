// Opens a large JSON envelope. JSON of honest size with few values, such as 50,000 recipients, is parsed at once. Any other
// body is scanned, its credentials are verified, and only then it is built piece by piece, so that other requests are served
// between the steps and nothing is built for strangers.
import { setImmediate as others } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { asMembers, type Members, openJson, own } from './envelope.ts';
import { isHarmless, isQuick } from './harmless-json.ts';
import { type Container, JsonScan, type ScanBounds, type Span, usualBounds } from './json-scan.ts';

const stepBytes = 256 * 1024;
const credentialsBytesMax = 4_096;

export async function openLargeJson(
  document: Buffer,
  verify: (authentication: unknown) => Promise<void>,
): Promise<Members> {
  if (isHarmless(document)) {
    const request = openJson(document);
    await verify(own(request, 'authentication'));
    return request;
  }
  return openInSteps(document, verify);
}

export async function openInSteps(
  document: Buffer,
  verify: (authentication: unknown) => Promise<void>,
): Promise<Members> {
  const scan = await scanJson(document, usualBounds);
  if (!scan.hasRequest) throw new Refusal(400);
  await verify(authenticationOf(document, scan.authentication));
  const envelope = asMembers(await buildJson(document, scan.root!));
  return asMembers(own(envelope!, 'request'))!;
}

/** Credentials are never as long as 4 kB; longer ones are treated as missing. */
function authenticationOf(document: Buffer, span: Span | null): unknown {
  if (!span || span.end - span.start > credentialsBytesMax) return undefined;
  return JSON.parse(document.toString('utf8', span.start, span.end));
}

/** JSON without an envelope. What is larger than 64 kB comes from callers that are already authenticated. */
export async function readJson(document: Buffer): Promise<unknown> {
  const isWhole = document.length > limits.largeBodyBytes ? isHarmless(document) : isQuick(document);
  if (isWhole) return JSON.parse(document.toString('utf8'));
  const scan = await scanJson(document, usualBounds);
  return buildJson(document, scan.root!);
}

export async function scanJson(document: Buffer, bounds: ScanBounds): Promise<JsonScan> {
  const scan = new JsonScan(document, bounds);
  while (!scan.step(stepBytes)) await others();
  // A number or a string is not an envelope and has nothing to cut.
  if (!scan.root) throw new Refusal(400);
  return scan;
}

export async function buildJson(document: Buffer, container: Container): Promise<unknown> {
  const { isArray, pieces } = container;
  const list: unknown[] = [];
  const members: Members = {};
  for (const { start, end, name, inside } of pieces) {
    if (inside) {
      const value = await buildJson(document, inside);
      if (isArray) list.push(value);
      else put(members, JSON.parse(document.toString('utf8', name!.start, name!.end)), value);
      continue;
    }
    const text = document.toString('utf8', start, end);
    if (isArray) for (const value of JSON.parse(`[${text}]`) as unknown[]) list.push(value);
    else for (const [key, value] of Object.entries(JSON.parse(`{${text}}`) as Members)) put(members, key, value);
    await others();
  }
  return isArray ? list : members;
}

/** Any name may occur, even `__proto__`: it becomes a member, as in JSON.parse. */
function put(members: Members, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
  else members[name] = value;
}
