// The marks of a rail, 20 px: ticked when done, leaning while in use, three leaning bars while others work on it, dotted when
// open, a square with a cross when it failed.
export type StationLook = 'holds' | 'inside' | 'moving' | 'open' | 'failed';

const leaning = (x: number): string => `M${x} 13.6l1.7-7.2h1.5l-1.7 7.2z`;

export function StationMark({ state }: { state: StationLook }) {
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
      {state === 'moving' && (
        <g className="glyph-moving">
          {[5, 8.4, 11.8].map(x => (
            <path key={x} d={leaning(x)} fill="var(--busy-fill)" />
          ))}
          <circle cx="10" cy="10" r="8.8" fill="none" stroke="var(--busy-fill)" strokeWidth="2" />
        </g>
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
      {state === 'failed' && (
        <>
          <rect x="2" y="2" width="16" height="16" rx="3.4" fill="var(--bad-fill)" />
          <path d="M6.8 6.8l6.4 6.4M13.2 6.8l-6.4 6.4" stroke="var(--surface)" strokeWidth="2" />
        </>
      )}
    </svg>
  );
}
