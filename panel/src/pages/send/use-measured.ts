// The longest of the personal texts, found by the worker over all rows a moment after typing stops.
import { useEffect, useState } from 'react';
import { fieldsIn } from '../../../../src/text/fields.ts';
import type { Mode } from '../../../../src/text/prepare.ts';
import { askBook } from '../../recipients/client.ts';
import type { Measured } from '../../recipients/messages.ts';
import { useDraft } from './draft.ts';

const pauseMs = 250;

export function useMeasured(mode: Mode): Measured | null {
  const { text, summary, fallbacks } = useDraft();
  const [measured, setMeasured] = useState<Measured | null>(null);
  const version = summary?.version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: version stands for the rows, which live in the worker
  useEffect(() => {
    if (fieldsIn(text).length === 0) {
      setMeasured(null);
      return;
    }
    let stale = false;
    const timer = setTimeout(() => {
      void askBook('measure', { template: text, mode, fallbacks }).then(found => !stale && setMeasured(found));
    }, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text, mode, fallbacks, version]);
  return measured;
}
