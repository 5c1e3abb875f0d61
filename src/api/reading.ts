// How a request is read and answered. The path names the form it expects; the body shows which one it has. XML and JSON
// are read at each path that is not JSON's own, and answered in the form they came in.
import { Refusal } from '../status.ts';
import { findDocument, kindOf } from './document.ts';
import { type Members, openJson } from './envelope.ts';
import { openGetForm } from './get-form.ts';
import { openXml } from './xml.ts';

/** `…/json`, the bare path, `…/get`. */
export type PathForm = 'json' | 'xml' | 'get';
export type AnswerForm = 'json' | 'xml';

export type Reading = {
  answer: AnswerForm;
  /** The `request` object, or a refusal with 400. */
  open(): Members;
};

export type Received = { contentType: string | undefined; query: string; body: Buffer };

export function readingOf(path: PathForm, { contentType, query, body }: Received): Reading {
  if (path === 'json') return { answer: 'json', open: () => openJson(body) };
  const document = findDocument(body);
  const kind = kindOf(document);
  if (kind === 'json') return { answer: 'json', open: () => openJson(document) };
  if (kind === 'xml') return { answer: 'xml', open: () => openXml(contentType, document) };
  if (path === 'get') return { answer: 'xml', open: () => openGetForm(query, body) };
  return { answer: answerForm(path, contentType), open: refuse };
}

const jsonType = /^\s*application\/([a-z0-9.-]+\+)?json\s*(;|$)/i;

/** For what could not be read: the path's form, unless the caller calls it JSON. */
export function answerForm(path: PathForm, contentType: string | undefined): AnswerForm {
  return path === 'json' || jsonType.test(contentType ?? '') ? 'json' : 'xml';
}

function refuse(): never {
  throw new Refusal(400);
}
