// The rail of the send page: four stations, ticked when they hold, leaning while one works in them, dotted when open.
import { type ReactNode, useState } from 'react';
import { t } from '../../text/language.ts';
import { StationMark } from '../../ui/station-mark.tsx';
import type { Draft } from './draft.ts';

export type StationName = 'alicilar' | 'mesaj' | 'baslik' | 'zaman';

/** What a station still lacks; null where it holds. */
export function lackOf(name: StationName, draft: Draft): string | null {
  if (name === 'alicilar') return (draft.summary?.count ?? 0) > 0 ? null : t.send.needRecipients;
  if (name === 'mesaj') return draft.text.trim() === '' ? t.send.needText : null;
  if (name === 'baslik') return draft.sender === '' ? t.send.noSenders : null;
  return draft.later && !draft.sendAt ? t.send.needTime : null;
}

export const stationNames: StationName[] = ['alicilar', 'mesaj', 'baslik', 'zaman'];

/** Scrolls to a station and gives its first field the focus. */
export function goTo(name: StationName): void {
  const station = document.getElementById(`istasyon-${name}`);
  station?.scrollIntoView({ block: 'start' });
  station?.querySelector<HTMLElement>('.stack :is(textarea, input:not([type="file"]), select, button)')?.focus();
}

type Props = { name: StationName; title: string; lack: string | null; tools?: ReactNode; children: ReactNode };

export function Station({ name, title, lack, tools, children }: Props) {
  const [isInside, setInside] = useState(false);
  const state = isInside ? 'inside' : lack === null ? 'holds' : 'open';
  return (
    <section
      className={`station station-${state}`}
      id={`istasyon-${name}`}
      aria-label={title}
      onFocus={() => setInside(true)}
      onBlur={() => setInside(false)}
    >
      <StationMark state={state} />
      <div className="station-head">
        <h2>{title}</h2>
        {tools}
      </div>
      <div className="stack">{children}</div>
    </section>
  );
}
