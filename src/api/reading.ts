// Chooses how a request is read and answered. The path names the form it expects; the body shows which one it has. XML and JSON
// are accepted at every path except JSON's own, and answered in the form they came in.
import { limits } from '../limits.ts';
import { Refusal } from '../status.ts';
import { findDocument, kindOf, withoutLayout } from './document.ts';
import { type Members, openJson } from './envelope.ts';
import { openGetForm } from './get-form.ts';
import { isQuick } from './harmless-json.ts';
import { openInSteps, openLargeJson } from './large-json.ts';
import { openLargeXml, openXml } from './xml.ts';

/** `…/json`, the bare path, `…/get`. */
export type PathForm = 'json' | 'xml' | 'get';
export type AnswerForm = 'json' | 'xml';

export type Reading = {
  answer: AnswerForm;
  /** Returns the `request` object or refuses with 400; a large body is read in steps, after its credentials were verified. */
  open(verify: (authentication: unknown) => Promise<void>): Members | Promise<Members>;
};

type Received = { contentType: string | undefined; query: string; body: Buffer };

export function readingOf(path: PathForm, { contentType, query, body }: Received): Reading {
  if (path === 'json') return { answer: 'json', open: jsonOpener(body) };
  const document = findDocument(body);
  const kind = kindOf(document);
  if (kind === 'json') return { answer: 'json', open: jsonOpener(document) };
  if (kind === 'xml') return { answer: 'xml', open: xmlOpener(contentType, document) };
  if (path === 'get') return { answer: 'xml', open: () => openGetForm(query, body) };
  return { answer: answerForm(path, contentType), open: refuse };
}

function jsonOpener(body: Buffer): Reading['open'] {
  if (!isLarge(body) && isQuick(body)) return () => openJson(body);
  const open = isLarge(body) ? openLargeJson : openInSteps;
  return verify => open(withoutLayout(findDocument(body)), verify);
}

function xmlOpener(contentType: string | undefined, document: Buffer): Reading['open'] {
  return isLarge(document)
    ? verify => openLargeXml(contentType, document, verify)
    : () => openXml(contentType, document);
}

function isLarge(body: Buffer): boolean {
  return body.length > limits.largeBodyBytes;
}

const jsonType = /^\s*application\/([a-z0-9.-]+\+)?json\s*(;|$)/i;

/** The form of an answer to an unreadable body: that of the path, unless the content type says JSON. */
export function answerForm(path: PathForm, contentType: string | undefined): AnswerForm {
  return path === 'json' || jsonType.test(contentType ?? '') ? 'json' : 'xml';
}

function refuse(): never {
  throw new Refusal(400);
}
