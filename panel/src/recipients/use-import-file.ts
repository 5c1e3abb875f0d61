// A file chosen for an import, in the worker: how far it is read, what it holds, another sheet of it, and its end.
import { useRef, useState } from 'react';
import type { Problem } from '../../../src/tables/limits.ts';
import type { DateForm } from '../../../src/tables/shown-cell.ts';
import { askBook } from './client.ts';
import type { TableView } from './messages.ts';

type Reading = { name: string | null; share: number | null; view: TableView | null; problem: Problem | null };
const nothing: Reading = { name: null, share: null, view: null, problem: null };

export function useImportFile(dates: DateForm) {
  const [reading, setReading] = useState<Reading>(nothing);
  const file = useRef<File | null>(null);
  const turn = useRef(0);

  const read = async (given: File, sheet: number): Promise<TableView | null> => {
    file.current = given;
    turn.current += 1;
    const mine = turn.current;
    // What the file before it held is no longer shown.
    setReading({ ...nothing, name: given.name, share: 0 });
    const onShare = (share: number) => mine === turn.current && setReading(old => ({ ...old, share }));
    const view = await askBook('table', { file: given, sheet, dates }, onShare).catch(() => null);
    if (mine !== turn.current) return null;
    const problem = view ? view.problem : 'too-slow';
    setReading({
      name: given.name,
      share: null,
      view: view && (!problem || problem === 'too-many') ? view : null,
      problem,
    });
    return view && !problem ? view : null;
  };
  const clear = () => {
    turn.current += 1;
    file.current = null;
    setReading(nothing);
    void askBook('stop', {});
  };
  const reshape = async (header: boolean, numberColumn: number) => {
    const view = await askBook('tableShape', { header, numberColumn });
    setReading(old => ({ ...old, view }));
  };
  const chooseSheet = (sheet: number) => (file.current ? read(file.current, sheet) : Promise.resolve(null));
  return { ...reading, read: (given: File) => read(given, 0), chooseSheet, reshape, clear };
}
