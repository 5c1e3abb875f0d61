// A list as a file. Fetched instead of linked, so that a refusal is a sentence on the page and not a file with JSON. More than
// 50,000 rows are exported in the background and appear in the bell.
import type { Answer } from '../../../src/panel-api/contract/contract.ts';
import type { ExportKind } from '../../../src/panel-api/contract/facts.ts';
import { call, Fault, Unreachable } from '../api.ts';
import { languageCode } from '../text/language.ts';
import { saveFile } from './download.ts';

export async function takeExport(
  kind: ExportKind,
  format: 'csv' | 'xlsx',
  filter: Record<string, unknown>,
): Promise<'saved' | 'queued'> {
  const language = languageCode();
  const response = await fetch(exportAddress(kind, format, language, filter)).catch(() => {
    throw new Unreachable();
  });
  if (response.ok) {
    saveFile(nameIn(response.headers.get('content-disposition')) ?? `peyk-${kind}.${format}`, await response.blob());
    return 'saved';
  }
  const answer = (await response.json()) as Answer<never>;
  if (answer.ok || answer.error.code !== 'too-many-rows') throw answer.ok ? new Unreachable() : new Fault(answer.error);
  await call('exports.start', { kind, format, language, filter });
  return 'queued';
}

export function exportAddress(
  kind: string,
  format: 'csv' | 'xlsx',
  language: string,
  filter: Record<string, unknown>,
): string {
  const query = new URLSearchParams({ format, language });
  for (const [key, value] of Object.entries(filter)) {
    if (value !== undefined && value !== null && value !== '' && key !== 'cursor' && key !== 'limit')
      query.set(key, String(value));
  }
  return `/panel/api/export/${kind}?${query}`;
}

export function nameIn(disposition: string | null): string | null {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? null;
}
