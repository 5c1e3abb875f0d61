// The code blocks of the documentation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';

export type Fence = { file: string; line: number; language: string; text: string };

export function readPage(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

export function fencesOf(file: string): Fence[] {
  const page = readPage(file);
  return [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(match => ({
    file,
    line: page.slice(0, match.index).split('\n').length,
    language: match[1]!.trim(),
    text: match[2]!,
  }));
}

/** Commands of a shell block, without comments, with continued lines joined. */
export function commandsOf({ text }: Fence): string[] {
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.replace(/(^|\s)#\s.*$/, '').trim())
    .filter(line => line !== '');
}
