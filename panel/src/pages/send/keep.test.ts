import { expect, test } from 'vitest';
import type { Answer, OperationName, OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { StoredDraft } from '../../recipients/stored-draft.ts';
import { currentDraft, headOf, keepDraft } from './draft.ts';
import { keepOnServer, type Ways } from './keep.ts';

const shape = { fileName: null, header: false, numberColumn: 0, names: ['numara'] };
const list = { rows: [['5550000001']], shape, listVersion: 1 };
const refusal = { ok: false, error: { code: 'signed-out', tr: 'Oturum bitti.', en: 'Signed out.' } } as const;

/** The server's copy as the worker keeps it, a server that knows sessions, and a dialog that is answered one by one. */
function browser() {
  const waiting: (() => void)[] = [];
  const state = { isSignedIn: false, isBroken: false };
  const stored = new StoredDraft(async <Name extends OperationName>(name: Name): Promise<Answer<OutputOf<Name>>> => {
    await Promise.resolve();
    if (!state.isSignedIn) return refusal;
    const data: unknown = { id: 7, listNo: 1, version: 1, asked: name };
    return { ok: true, data: data as OutputOf<Name> };
  });
  const ways: Ways = {
    ask: onShare =>
      state.isBroken
        ? Promise.reject(new Error('the worker stopped'))
        : (stored.keep(headOf(currentDraft()), list, onShare) as Promise<unknown> as ReturnType<Ways['ask']>),
    signIn: () => new Promise<void>(resolve => waiting.push(resolve)),
  };
  return { waiting, state, ways };
}

const underWay = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

test('what was typed last is kept after a new sign-in, in whatever order the changes before it hear of it', async () => {
  const { waiting, state, ways } = browser();
  const kept: Promise<void>[] = [];
  for (const text of ['Yarim', 'Yarim kalan', 'Yarim kalan metin']) {
    keepDraft({ text, isChecking: true });
    kept.push(keepOnServer(currentDraft().key, ways));
    await underWay();
  }
  expect(waiting).toHaveLength(3);
  state.isSignedIn = true;
  for (const goOn of waiting.reverse()) goOn();
  await Promise.all(kept);
  const { key, keptKey, previewKey, isChecking, failure } = currentDraft();
  expect({ keptKey, previewKey, isChecking, failure }).toEqual({
    keptKey: key,
    previewKey: key,
    isChecking: false,
    failure: null,
  });
});

test('a draft that cannot be kept says so instead of being checked for ever', async () => {
  const { state, ways } = browser();
  state.isBroken = true;
  keepDraft({ text: 'Baska', isChecking: true });
  await keepOnServer(currentDraft().key, ways);
  expect(currentDraft()).toMatchObject({ isChecking: false, failure: new Error('the worker stopped') });
});
