// The shape of every worker: run a round, sleep until woken or until the pause is over, stop gracefully. A failed round is
// logged and retried after a growing pause, which waking does not shorten. Each round is a heartbeat; `stalledLoops` names
// loops without one for too long, which makes /health/live fail.

import type { Log } from '../log.ts';
import { backoffMs } from '../time/backoff.ts';
import { monotonicMs } from '../time/clock.ts';

export type Loop = { wake(): void; stop(): Promise<void> };

type Beat = { name: string; at: number; silenceMaxMs: number };
const beats = new Set<Beat>();

/** `round` returns how long to sleep (ms) before the next one; 0 runs it again at once. */
export function startLoop(
  name: string,
  log: Log,
  round: () => Promise<number>,
  options: { silenceMaxMs?: number } = {},
): Loop {
  const beat: Beat = { name, at: monotonicMs(), silenceMaxMs: options.silenceMaxMs ?? 90_000 };
  beats.add(beat);
  let stopped = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;
  let failures = 0;
  const endSleep = () => wakeUp?.();

  const sleep = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const finished = (async () => {
    while (!stopped) {
      woken = false;
      let pauseMs: number;
      try {
        pauseMs = await round();
        failures = 0;
      } catch (error) {
        pauseMs = backoffMs(failures++, 100, 5_000);
        log.warn({ loop: name, error: (error as Error).message, failures }, 'loop round failed');
      }
      beat.at = monotonicMs();
      if (stopped || (failures === 0 && (woken || pauseMs <= 0))) {
        if (!stopped) await new Promise(setImmediate);
        continue;
      }
      await sleep(Math.min(pauseMs, beat.silenceMaxMs / 3));
      wakeUp = undefined;
    }
    beats.delete(beat);
  })();

  const wake = () => {
    woken = true;
    if (failures === 0) endSleep();
  };
  return {
    wake,
    async stop() {
      stopped = true;
      endSleep();
      await finished;
    },
  };
}

export function stalledLoops(): string[] {
  const time = monotonicMs();
  return [...beats].filter(one => time - one.at > one.silenceMaxMs).map(one => one.name);
}
