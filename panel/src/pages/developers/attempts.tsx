// The newest deliveries of one address as a strip: the height is the time until the answer, the colour its outcome. Drawn from
// the rows of the list below it, so nothing is counted for it.
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { duration, number, percent, timeOfDay } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { type Attempt, attemptLook, attemptShare, medianMs } from './attempt-figures.ts';

type Line = OutputOf<'webhook.deliveries'>['deliveries'][number];
const refreshMs = 5_000;
const looks = ['delivered', 'slow', 'failed'] as const;
const fewest = 5;

const secondMs = 1_000;

/** "84 ms", "1,2 sn". */
export const answerTime = (ms: number): string => (ms < secondMs ? `${number(ms)} ms` : duration(ms));

/** Oldest first; those that were not tried yet have nothing to show. */
export function useAttempts(webhookId: number): Line[] {
  const read = useRead('webhook.deliveries', { webhookId, page: 1 }, { refetchMs: refreshMs });
  return (read.data?.deliveries ?? []).filter(one => one.attempts > 0).reverse();
}

export function AttemptStrip({ attempts }: { attempts: Line[] }) {
  const [first] = attempts;
  const last = attempts.at(-1);
  if (!first || !last || attempts.length < fewest) return null;
  const good = attempts.filter(one => attemptLook(one) !== 'failed').length;
  const median = medianMs(attempts);
  const words = t.webhook.strip(
    number(attempts.length),
    percent(good / attempts.length),
    median === null ? null : answerTime(median),
  );
  return (
    <figure className="attempts" aria-label={words}>
      <div className="attempt-bars" aria-hidden="true">
        {attempts.map(one => (
          <span key={one.id} title={wordsOf(one)}>
            <i data-look={attemptLook(one)} style={{ height: `${attemptShare(one) * 100}%` }} />
          </span>
        ))}
      </div>
      <figcaption className="attempt-foot">
        <span>
          {timeOfDay(first.lastAt ?? first.createdAt)} – {timeOfDay(last.lastAt ?? last.createdAt)}
        </span>
        {looks
          .filter(look => attempts.some(one => attemptLook(one) === look))
          .map(look => (
            <span key={look}>
              <i data-look={look} />
              {t.webhook.looks[look]}
            </span>
          ))}
        <span>{words}</span>
      </figcaption>
    </figure>
  );
}

const wordsOf = (one: Line & Attempt): string =>
  [
    timeOfDay(one.lastAt ?? one.createdAt),
    one.answerStatus ? `HTTP ${one.answerStatus}` : t.webhook.noAnswer,
    one.answerMs === null ? '' : answerTime(one.answerMs),
  ]
    .filter(Boolean)
    .join(' · ');
