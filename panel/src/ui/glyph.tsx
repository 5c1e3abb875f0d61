// The state icons, 14 px. Each differs by shape, not by colour alone: moving states lean, final ones stand.
import type { ReactNode } from 'react';

export type GlyphName =
  | 'queued'
  | 'moving'
  | 'delivered'
  | 'failed'
  | 'filtered'
  | 'planned'
  | 'finished'
  | 'below'
  | 'paused'
  | 'cancelled'
  | 'waiting';

const leaning = (x: number): string => `M${x} 12.5l2.6-11h2.1l-2.6 11z`;
const ring = { cx: 7, cy: 7, r: 5.6, fill: 'none', strokeWidth: 1.5 };

const shapes: Record<GlyphName, ReactNode> = {
  queued: <circle {...ring} stroke="var(--idle-fill)" strokeDasharray="1.9 1.62" />,
  moving: [0.6, 4.7, 8.8].map(x => <path key={x} d={leaning(x)} fill="var(--busy-fill)" />),
  delivered: (
    <>
      <circle cx="7" cy="7" r="6.3" fill="var(--ok-fill)" />
      <path d="M4.2 7.3l2 2 3.7-4.2" fill="none" stroke="var(--surface)" strokeWidth="1.6" />
    </>
  ),
  failed: (
    <>
      <rect x=".9" y=".9" width="12.2" height="12.2" rx="2.6" fill="var(--bad-fill)" />
      <path d="M4.7 4.7l4.6 4.6M9.3 4.7L4.7 9.3" stroke="var(--surface)" strokeWidth="1.6" />
    </>
  ),
  filtered: (
    <>
      <circle {...ring} stroke="var(--idle-fill)" />
      <path d="M3.2 10.8l7.6-7.6" stroke="var(--idle-fill)" strokeWidth="1.5" />
    </>
  ),
  planned: (
    <>
      <circle {...ring} stroke="var(--plan-fill)" />
      <path d="M7 3.8V7l2.2 1.5" fill="none" stroke="var(--plan-fill)" strokeWidth="1.5" />
    </>
  ),
  finished: <path d="M2 1.5h2.1v11H2zM6 1.5h2.1v11H6zM10 1.5h2.1v11H10z" fill="var(--idle-fill)" />,
  below: (
    <>
      <path d="M2 1.5h2.1v11H2zM6 1.5h2.1v11H6z" fill="var(--idle-fill)" />
      <path d="M10 5.4h2.1v7.1H10zM10 1.5h2.1v2.1H10z" fill="var(--warn-fill)" />
    </>
  ),
  paused: (
    <>
      <circle {...ring} stroke="var(--warn-fill)" />
      <path d="M5.4 4.6v4.8M8.6 4.6v4.8" stroke="var(--warn-fill)" strokeWidth="1.5" />
    </>
  ),
  cancelled: <path d="M2 7h10" stroke="var(--idle-fill)" strokeWidth="1.7" />,
  waiting: <path d="M5.4 13l3-12h2.4l-3 12z" fill="var(--warn-fill)" />,
};

export function Glyph({ name }: { name: GlyphName }) {
  return (
    <svg viewBox="0 0 14 14" className={`glyph glyph-${name}`} aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}

/** The leaning bar before a row that needs attention. */
export function Staff({ kind }: { kind: 'bad' | 'warn' | 'ok' | 'busy' }) {
  return (
    <svg viewBox="0 0 8 18" className="staff" aria-hidden="true">
      <path d="M4.2 0h3.6L3.6 18H0z" fill={`var(--${kind}-fill)`} />
    </svg>
  );
}
