// Faults on demand. Each kind lasts until its own time; several may be active together. The control API is never faulty.
const faultKinds = {
  down: '503 H192 to everything',
  slow: 'answers come late',
  rate: '429 H124 to everything',
  drop: 'connections are closed without an answer, nothing is done',
  'accept-then-drop': 'the work is done, the answer never comes',
  token: '401 H351 whatever the token',
  'bad-json': '200 with a body that is no JSON',
} as const;

type FaultKind = keyof typeof faultKinds;
export type Faults = ReturnType<typeof createFaults>;
const secondsMax = 30 * 86_400;
const lateMsFallback = 3_000;
const lateMsMax = 600_000;

export function createFaults(now: () => number) {
  const until = new Map<FaultKind, number>();
  let lateMs = lateMsFallback;
  return {
    isOn: (kind: FaultKind) => (until.get(kind) ?? 0) > now(),
    lateMs: () => lateMs,
    /** Returns what is wrong with the request, or null. Zero seconds ends a fault; the kind `none` ends all. */
    set(kind: unknown, seconds: unknown, ms: unknown): string | null {
      if (kind === 'none') {
        until.clear();
        return null;
      }
      if (typeof kind !== 'string' || !Object.hasOwn(faultKinds, kind))
        return `kind must be one of none, ${Object.keys(faultKinds).join(', ')}`;
      const length = seconds ?? 10;
      if (typeof length !== 'number' || !(length >= 0 && length <= secondsMax))
        return `seconds must be a number from 0 to ${secondsMax}`;
      const late = ms ?? lateMsFallback;
      if (typeof late !== 'number' || !(late >= 0 && late <= lateMsMax))
        return `ms must be a number from 0 to ${lateMsMax}`;
      if (kind === 'slow') lateMs = late;
      until.set(kind as FaultKind, now() + length * 1000);
      return null;
    },
    clear: () => until.clear(),
  };
}
