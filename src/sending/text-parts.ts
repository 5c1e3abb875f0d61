// The parts of a message as a link takes them.

import type { ChunkRun } from './chunk-run.ts';
import type { Flight } from './flight.ts';
import type { Link } from './links/link.ts';
import type { Templates } from './links/submit.ts';

export type Part = ReturnType<Templates['of']>[number];

export function partsOf(templates: Templates, run: ChunkRun, index: number, { carrier }: Link<Flight>): Part[] {
  return templates.of(carrier, run.textOf(index));
}

/** Encodes all messages of a run: a message that kills the process kills it here. */
export function tryOut(templates: Templates, run: ChunkRun, link: Link<Flight>): void {
  for (const [index, id] of run.facts.ids.entries())
    try {
      for (const part of partsOf(templates, run, index, link)) part.encode(String(run.facts.numbers[index]), id);
    } catch {
      // The pump sets this message aside when it is next.
    }
}
