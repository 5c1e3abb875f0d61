// Consents as one bar, the state of each brand at the registry, and refusals by cause with a remedy.
import '../../pages.css';
import { Stack } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';

type Overview = OutputOf<'consent.overview'>;
const nearlyFull = 0.9;

const shares = [
  { key: 'accepted', css: 'bar-delivered' },
  { key: 'sent', css: 'bar-carrier' },
  { key: 'queued', css: 'bar-queued' },
  { key: 'refused', css: 'bar-failed' },
] as const;

/** How many records the registry has, and the state of the others. */
export function ConsentSummary({ counts }: { counts: Overview['counts'] }) {
  const total = shares.reduce((sum, one) => sum + counts[one.key], 0);
  if (total === 0) return <div className="page-lead">{t.consents.lead}</div>;
  const parts = shares.filter(one => counts[one.key] > 0);
  const words = parts.map(one => `${t.syncStates[one.key]} ${number(counts[one.key])}`).join(', ');
  return (
    <section className="shares" aria-label={words}>
      <p className="answer-head">
        {counts.accepted === total
          ? t.consents.headAll(number(total))
          : t.consents.head(number(counts.accepted), number(total))}
      </p>
      <p className="answer-rest">{t.consents.lead}</p>
      <div className="bar" role="img" aria-label={words}>
        {parts.map(one => (
          <span key={one.key} className={one.css} style={{ flex: `${counts[one.key]} 1 0`, minWidth: 2 }} />
        ))}
      </div>
      <div className="share-words">
        {parts.map(one => (
          <span key={one.key}>
            <i className={`dot ${one.css}`} />
            {t.syncStates[one.key]} <b>{number(counts[one.key])}</b>
          </span>
        ))}
      </div>
    </section>
  );
}

export function BrandLines({ overview }: { overview: Overview }) {
  const refusals = useRead('consent.refusals', {}, { enabled: overview.counts.refused > 0 });
  const groups = refusals.data?.groups ?? [];
  return (
    <Stack gap="md">
      {overview.trouble && <Note kind="warn">{inOurs(overview.trouble.sentence)}</Note>}
      {overview.brands.map(brand => (
        <BrandLine key={brand.code} brand={brand} />
      ))}
      <ReadState of={refusals} height={120} />
      {groups.length > 0 && (
        <Card title={t.consents.refusals} hint={t.consents.refusalsNote} flush>
          <table className="grid">
            <tbody>
              {groups.map(group => (
                <tr key={group.code}>
                  <td title={group.code}>{inOurs(group.sentence)}</td>
                  <td className="right strong">{number(group.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      )}
    </Stack>
  );
}

function BrandLine({ brand }: { brand: Overview['brands'][number] }) {
  const used = number(brand.usedThisMonth);
  const tight = brand.quota !== null && brand.usedThisMonth > brand.quota * nearlyFull;
  return (
    <>
      {brand.pause && (
        <Note kind="bad" title={t.consents.paused}>
          {inOurs(brand.pause.sentence)}
        </Note>
      )}
      <div className="share-words">
        <span>
          {t.consents.brand} <b>{brand.code}</b>
        </span>
        <span className={tight ? 'warn' : undefined}>
          {brand.quota === null ? t.consents.noQuota : t.consents.quota(used, number(brand.quota))}
        </span>
        <span>{t.consents.waiting(number(brand.waiting))}</span>
        <span>
          {t.consents.pulled}: <Time at={brand.pulledAt} />
          {brand.isReconciling && ` · ${t.consents.reconciling}`}
        </span>
      </div>
    </>
  );
}
