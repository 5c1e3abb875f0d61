// The operator's first screen says whether all is well, and if not, what waits; then the evidence in three tables. Faults of
// customers (a silent webhook) are listed and do not change the headline.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { atLeast, duration, number, relative } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { inOurs, t } from '../../text/language.ts';
import { Glyph, type GlyphName } from '../../ui/glyph.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';
import { CarrierStateBadge } from './carrier-state.tsx';
import { HoldButton, HoldNote } from './dispatch-hold.tsx';
import { PauseCarrier } from './pause-carrier.tsx';

type Status = OutputOf<'staff.status'>;
const refreshMs = 3_000;

export default function StaffStatusPage() {
  const read = useRead('staff.status', {}, { refetchMs: refreshMs });
  const data = read.data;
  const needs = data ? needsOf(data) : [];
  return (
    <Page
      title={t.staffStatus.title}
      tabTitle={needs.length > 0 ? `! ${t.staffStatus.title}` : t.staffStatus.title}
      actions={data && !data.hold ? <HoldButton /> : null}
    >
      <ReadState of={read} />
      {data && (
        <>
          <Headline data={data} needs={needs} />
          {data.hold && <HoldNote hold={data.hold} />}
          {data.clock.differs && (
            <Note kind="warn" title={t.staffStatus.clock}>
              {data.clock.aheadMs > 0
                ? t.staffStatus.clockAhead(duration(data.clock.aheadMs))
                : t.staffStatus.clockBehind(duration(-data.clock.aheadMs))}
            </Note>
          )}
          <Carriers carriers={data.carriers} />
          <Queue lanes={data.queue} />
          <Services data={data} />
        </>
      )}
    </Page>
  );
}

/** A paused or connecting carrier needs no attention. */
const needsHand = (carrier: Status['carriers'][number]): boolean =>
  carrier.state === 'down' || carrier.state === 'partly bound';

/** What needs the operator's attention, a sentence each. */
function needsOf(data: Status): string[] {
  const down = data.carriers.filter(needsHand);
  return [
    data.hold ? t.staffStatus.needsHold : '',
    down.length > 0 ? t.staffStatus.needsCarriers(down.map(carrier => carrier.name).join(', ')) : '',
    data.registry.trouble ? t.staffStatus.needsRegistry : '',
    data.clock.differs ? t.staffStatus.needsClock : '',
    data.applicationsWaiting > 0 ? t.staffStatus.needsApplications(number(data.applicationsWaiting)) : '',
  ].filter(Boolean);
}

function Headline({ data, needs }: { data: Status; needs: string[] }) {
  const { total, delivered, isComplete } = data.today;
  const isFine = needs.length === 0;
  return (
    <div>
      <p className="answer-head status-head">
        <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
          <path d="M2 2h5v24H2zM11 2h5v24h-5z" fill="var(--ok-fill)" />
          <path
            d={isFine ? 'M20 2h5v24h-5z' : 'M23 2h5l-6 24h-5z'}
            fill={isFine ? 'var(--ok-fill)' : 'var(--warn-fill)'}
          />
        </svg>
        {isFine ? t.staffStatus.fine : t.staffStatus.needs}
      </p>
      <p className="answer-rest">
        {isFine ? t.staffStatus.fineBody(atLeast(total, isComplete), atLeast(delivered, isComplete)) : needs.join(' ')}{' '}
        {data.applicationsWaiting > 0 && (
          <Link to={paths.staffApplications()} className="link">
            {t.nav.staffApplications}
          </Link>
        )}
      </p>
    </div>
  );
}

type SectionProps = {
  title: string;
  to: string;
  head: string[];
  /** The column that a phone has no room for; its cells are `wide-only` too. */
  wideOnly: number;
  shortcut?: string;
  children: ReactNode;
};

function Section(props: SectionProps) {
  return (
    <section className="block" aria-label={props.title}>
      <div className="block-head">
        <h2>{props.title}</h2>
        <Link to={props.to} className="link" aria-keyshortcuts={props.shortcut}>
          {t.staffStatus.all}
        </Link>
      </div>
      <div className="grid-scroll">
        <table className="grid plain-grid status-table">
          <thead>
            <tr>
              {props.head.map((cell, at) => (
                <th
                  key={cell}
                  scope="col"
                  className={`${at > 1 ? 'right' : ''} ${at === props.wideOnly ? 'wide-only' : ''}`}
                >
                  {cell || <span className="visually-hidden">{t.table.actions}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{props.children}</tbody>
        </table>
      </div>
    </section>
  );
}

function Name({ glyph, to, children }: { glyph: GlyphName; to: string; children: ReactNode }) {
  return (
    <td>
      <span className="state">
        <Glyph name={glyph} />
        <Link to={to} className="plain">
          {children}
        </Link>
      </span>
    </td>
  );
}

function Carriers({ carriers }: { carriers: Status['carriers'] }) {
  return (
    <Section
      title={t.staffStatus.carriers}
      to={paths.staffCarriers()}
      head={[t.staffStatus.name, t.common.state, t.staffStatus.binds, '']}
      wideOnly={2}
      shortcut="a"
    >
      {carriers.map(carrier => (
        <tr key={carrier.name}>
          <Name
            glyph={carrier.state === 'bound' ? 'delivered' : needsHand(carrier) ? 'failed' : 'paused'}
            to={paths.staffCarrier(carrier.name)}
          >
            {carrier.name}
          </Name>
          <td>
            <CarrierStateBadge state={carrier.state} />
          </td>
          <td className="right wide-only">{t.staffStatus.bound(number(carrier.bound), number(carrier.binds))}</td>
          <td className="right">
            <PauseCarrier
              carrier={{ name: carrier.name, paused: carrier.state === 'paused' }}
              size="compact-xs"
              shortcut="p"
            />
          </td>
        </tr>
      ))}
    </Section>
  );
}

function Queue({ lanes }: { lanes: Status['queue'] }) {
  return (
    <Section
      title={t.staffStatus.queue}
      to={paths.staffQueue()}
      head={[t.staffStatus.name, t.common.state, t.staffStatus.waitingFor, t.staffStatus.oldestColumn]}
      wideOnly={1}
    >
      {lanes.map(lane => (
        <tr key={lane.lane}>
          <Name glyph={lane.messages > 0 ? 'moving' : 'delivered'} to={paths.staffQueue()}>
            {t.lanes[lane.lane]}
          </Name>
          <td className="wide-only">{lane.messages > 0 ? t.staffStatus.waitingNow : t.staffStatus.flowing}</td>
          <td className="right">{number(lane.messages)}</td>
          <td className="right">{lane.oldestSeconds > 0 ? duration(lane.oldestSeconds * 1000) : '–'}</td>
        </tr>
      ))}
    </Section>
  );
}

function Services({ data }: { data: Status }) {
  const { registry, webhooks, unmatchedReceipts: unmatched } = data;
  const silent = webhooks.failing + webhooks.paused;
  return (
    <Section
      title={t.staffStatus.services}
      to={paths.staffHealth()}
      head={[t.staffStatus.name, t.common.state, t.staffStatus.waitingFor, t.staffStatus.answered]}
      wideOnly={3}
    >
      <tr>
        <Name glyph={registry.trouble ? 'failed' : 'delivered'} to={paths.staffRegistry()}>
          {t.staffStatus.registry}
        </Name>
        <td>
          {registry.trouble ? (
            <>
              <Tone tone="red" icon="cross" hint={registry.trouble.code}>
                {t.staffStatus.registryTrouble}
              </Tone>{' '}
              <span>{inOurs(registry.trouble.sentence)}</span>
            </>
          ) : (
            t.staffStatus.registryOk
          )}
        </td>
        <td className="right">{t.staffStatus.waiting(number(registry.waiting))}</td>
        <td className="right wide-only">
          <Time at={registry.answeredAt} />
        </td>
      </tr>
      <tr>
        <Name glyph={silent > 0 ? 'failed' : 'delivered'} to={paths.staffWebhooks()}>
          {t.staffStatus.webhooks}
        </Name>
        <td colSpan={2}>
          {silent > 0 ? (
            <Link to={paths.staffWebhooks()} className="link bad">
              {t.staffStatus.webhooksFailing(number(webhooks.failing), number(webhooks.paused))}
            </Link>
          ) : (
            t.staffStatus.webhooksFine
          )}
        </td>
        <td className="wide-only" />
      </tr>
      <tr>
        <Name glyph={unmatched.count > 0 ? 'below' : 'delivered'} to={paths.staffHealth()}>
          {t.staffStatus.unmatched}
        </Name>
        <td>
          {unmatched.since ? t.staffStatus.oldest(relative(unmatched.since, Date.now())) : t.staffStatus.unmatchedNone}
        </td>
        <td className="right">{number(unmatched.count)}</td>
        <td className="wide-only" />
      </tr>
      <tr>
        <Name glyph="delivered" to={paths.staffAccounts()}>
          {t.staffStatus.accounts}
        </Name>
        <td>{t.staffStatus.suspended(number(data.accounts.suspended))}</td>
        <td className="right">{number(data.accounts.active)}</td>
        <td className="wide-only" />
      </tr>
    </Section>
  );
}
