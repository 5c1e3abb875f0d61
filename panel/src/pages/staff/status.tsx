// The operator's first screen: is anything down, does anything wait.
import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { atLeast, dateMinute, duration, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card, Figure } from '../../ui/card.tsx';
import { LoadError, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { CarrierStateBadge } from './carrier-state.tsx';
import { HoldButton, HoldNote } from './dispatch-hold.tsx';

const refreshMs = 3_000;

export default function StaffStatusPage() {
  const read = useRead('staff.status', {}, { refetchMs: refreshMs });
  const data = read.data;
  return (
    <Page title={t.staffStatus.title} actions={data && !data.hold ? <HoldButton /> : null}>
      {read.error ? (
        <LoadError error={read.error} since={data && read.dataUpdatedAt} retry={() => void read.refetch()} />
      ) : null}
      {!data && read.isPending && <Skeleton height={300} />}
      {data?.hold && <HoldNote hold={data.hold} />}
      {data?.clock.differs && (
        <Note kind="warn" title={t.staffStatus.clock}>
          {data.clock.aheadMs > 0
            ? t.staffStatus.clockAhead(duration(data.clock.aheadMs))
            : t.staffStatus.clockBehind(duration(-data.clock.aheadMs))}
        </Note>
      )}
      {data && (
        <>
          <div className="figures">
            <Figure
              label={t.staffStatus.accounts}
              value={number(data.accounts.active)}
              note={t.staffStatus.suspended(number(data.accounts.suspended))}
            />
            <Figure
              label={t.staffStatus.today}
              value={atLeast(data.today.total, data.today.isComplete)}
              note={t.overview.todayNote(atLeast(data.today.delivered, data.today.isComplete))}
            />
            <Figure
              label={t.staffStatus.applications}
              value={
                <Link to={paths.staffApplications()} className="link">
                  {number(data.applicationsWaiting)}
                </Link>
              }
            />
            <Figure
              label={t.staffStatus.unmatched}
              value={number(data.unmatchedReceipts.count)}
              note={data.unmatchedReceipts.since && t.staffStatus.oldest(dateMinute(data.unmatchedReceipts.since))}
            />
          </div>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Card title={t.staffStatus.carriers} flush>
              <table className="grid">
                <tbody>
                  {data.carriers.map(carrier => (
                    <tr key={carrier.name}>
                      <td>
                        <Link to={paths.staffCarrier(carrier.name)} className="link">
                          {carrier.name}
                        </Link>
                      </td>
                      <td>
                        <CarrierStateBadge state={carrier.state} />
                      </td>
                      <td>{t.staffStatus.bound(carrier.bound, carrier.binds)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Card>
            <Card title={t.staffStatus.queue} flush>
              <table className="grid">
                <tbody>
                  {data.queue.map(lane => (
                    <tr key={lane.lane}>
                      <td>
                        <Link to={paths.staffQueue()} className="link">
                          {t.lanes[lane.lane]}
                        </Link>
                      </td>
                      <td className="right">{number(lane.messages)}</td>
                      <td className="right">{lane.oldestSeconds > 0 ? duration(lane.oldestSeconds * 1000) : '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Card>
            <Card title={t.staffStatus.webhooks}>
              <Link to={paths.staffWebhooks()} className="link">
                {t.staffStatus.webhooksFailing(data.webhooks.failing, data.webhooks.paused)}
              </Link>
            </Card>
            <Card title={t.staffStatus.registry}>
              {data.registry.trouble ? (
                <>
                  <Tone tone="red" icon="cross" hint={data.registry.trouble.code}>
                    {t.staffStatus.registryTrouble}
                  </Tone>
                  <Text size="sm" mt={6}>
                    {inOurs(data.registry.trouble.sentence)}
                  </Text>
                </>
              ) : (
                <Tone tone="teal" icon="check">
                  {t.staffStatus.registryOk}
                </Tone>
              )}
              <Text size="sm" mt={6} component="div">
                <Link to={paths.staffRegistry()} className="link">
                  {t.staffStatus.waiting(number(data.registry.waiting))}
                </Link>
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {t.registry.answered}: <Time at={data.registry.answeredAt} />
              </Text>
            </Card>
          </SimpleGrid>
        </>
      )}
    </Page>
  );
}
