// The rail of the send page: four stations, ticked when they hold, leaning while one works in them, dotted when open.
import { type ReactNode, useState } from 'react';
import { t } from '../../text/language.ts';
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
  station?.querySelector<HTMLElement>('textarea, input:not([type="file"]), select, button')?.focus();
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

function StationMark({ state }: { state: 'inside' | 'holds' | 'open' }) {
  return (
    <svg viewBox="0 0 20 20" className="station-mark" aria-hidden="true">
      {state === 'holds' && (
        <>
          <circle cx="10" cy="10" r="10" fill="var(--ok-fill)" />
          <path d="M5.8 10.4l2.9 2.9 5.4-6.2" fill="none" stroke="var(--surface)" strokeWidth="2" />
        </>
      )}
      {state === 'inside' && (
        <>
          <circle cx="10" cy="10" r="8.8" fill="var(--surface)" stroke="var(--ok-fill)" strokeWidth="2" />
          <path d="M8.4 14.6l2.2-9.2h2.2l-2.2 9.2z" fill="var(--ok-fill)" />
        </>
      )}
      {state === 'open' && (
        <circle
          cx="10"
          cy="10"
          r="8.8"
          fill="var(--surface)"
          stroke="var(--idle-fill)"
          strokeWidth="1.6"
          strokeDasharray="2.6 2"
        />
      )}
    </svg>
  );
}
