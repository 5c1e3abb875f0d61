// The menu: mark and bell, search, the one filled button of the frame, entries in groups, balance and account. "Başlarken" is
// left out once all seven steps are done; the palette still finds it.
import { Button, Kbd, NavLink, UnstyledButton } from '@mantine/core';
import { useFocusTrap } from '@mantine/hooks';
import { IconPencilPlus, IconSearch } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { number } from '../format.ts';
import { paths } from '../paths.ts';
import { preferenceKeys, readPreference } from '../preferences.ts';
import { useRead } from '../queries.ts';
import { useMay, useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { customerNav, type NavEntry, settingsEntry, settingsNav, staffNav } from './nav-entries.ts';
import { shortcutsOn } from './shortcut-rules.ts';

type Live = OutputOf<'live'> | undefined;
type Props = {
  /** Open over the page on a narrow screen, as a dialog that keeps the focus. */
  drawer: boolean;
  live: Live;
  bell: ReactNode;
  onGo: () => void;
  onPalette: () => void;
  onSheet: () => void;
};

export function Sidebar({ drawer, live, bell, onGo, onPalette, onSheet }: Props) {
  const trap = useFocusTrap(drawer);
  const me = useMe();
  const maySend = useMay('sender');
  const onboarding = useRead('onboarding.read', {}, { enabled: me.account !== null });
  const done = onboarding.data?.steps?.filter(step => step.state === 'done').length ?? 0;
  const all = onboarding.data?.steps?.length ?? 0;
  const open = done < all;
  const groups = [
    ...(me.account ? customerNav(open) : []),
    ...(me.user.staff ? staffNav(me.account ? t.nav.operator : null) : []),
  ];
  const marks = marksOf(live);
  if (open) marks.set(paths.start(), { text: `${done}/${all}` });
  return (
    <div className="side" ref={trap} {...(drawer && { role: 'dialog', 'aria-modal': true, 'aria-label': t.nav.menu })}>
      <div className="side-top">
        <Brand />
        {bell}
      </div>
      <div className="side-tools">
        <UnstyledButton className="side-search" onClick={onPalette}>
          <IconSearch size={16} stroke={1.7} aria-hidden />
          <span>{t.shell.searchShort}</span>
          <Kbd>Ctrl K</Kbd>
        </UnstyledButton>
        {me.account && maySend && (
          <Button
            component={Link}
            to={paths.send()}
            onClick={onGo}
            fullWidth
            justify="flex-start"
            leftSection={<IconPencilPlus size={16} stroke={1.7} aria-hidden />}
            rightSection={shortcutsOn() && <Kbd className="kbd-on-action">N</Kbd>}
            className="side-new"
          >
            {t.nav.send}
          </Button>
        )}
      </div>
      <nav aria-label={t.nav.main} className="side-nav">
        {groups.map((group, at) => (
          <div key={group.label ?? at} className="side-group">
            {group.label && <div className="side-label">{group.label}</div>}
            {group.entries.map(entry => (
              <Entry key={entry.path} entry={entry} onGo={onGo} mark={marks.get(entry.path)} />
            ))}
          </div>
        ))}
        {me.account && (
          <div className="side-group side-last">
            <Entry entry={settingsEntry()} onGo={onGo} />
          </div>
        )}
      </nav>
      <div className="side-foot">
        {me.account && <Balance live={live} onGo={onGo} />}
        <AccountMenu onSheet={onSheet} onGo={onGo} />
      </div>
    </div>
  );
}

/** The available balance, and how long it lasts at the rate of the last seven days. */
function Balance({ live, onGo }: { live: Live; onGo: () => void }) {
  if (!live) return <div className="side-balance" />;
  return (
    <Link to={paths.balance()} className="side-balance" onClick={onGo}>
      <span className="visually-hidden">{t.shell.balanceLabel}: </span>
      <span>
        <b>{number(live.balance)}</b>
        {` ${t.common.credits('').trim()}`}
      </span>
      {live.usedPerDay > 0 && (
        <span className="soft">{t.shell.daysLeft(number(Math.floor(live.balance / live.usedPerDay)))}</span>
      )}
    </Link>
  );
}

type Mark = { text: string; tone?: 'busy' | 'bad' };

/** Counts beside entries: plain for waiting, cobalt for running, coral for needs attention; none at zero. */
function marksOf(live: Live): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  if (!live) return marks;
  const put = (path: string, count: number, tone?: Mark['tone']) =>
    count > 0 && marks.set(path, { text: number(count), tone });
  put(paths.staffApplications(), live.staff?.applicationsWaiting ?? 0, 'bad');
  put(paths.staffCarriers(), live.staff?.carriersDown ?? 0, 'bad');
  put(paths.orders(), live.running.length, 'busy');
  put(paths.apiLog(), live.apiRefusals);
  if (live.webhookState === 'failing' || live.webhookState === 'paused') put(paths.webhook(), 1, 'bad');
  if (live.inboxLatest > Number(readPreference(preferenceKeys.seenInbox) ?? 0))
    marks.set(paths.inbox(), { text: '', tone: 'busy' });
  return marks;
}

function Entry({ entry, onGo, mark }: { entry: NavEntry; onGo: () => void; mark?: Mark }) {
  const here = useRouterState({ select: state => state.location.pathname });
  const active = isActive(entry.path, here);
  const Icon = entry.icon;
  return (
    <NavLink
      component={Link}
      to={entry.path}
      activeOptions={{ exact: isHome(entry.path) }}
      label={entry.label}
      active={active}
      aria-current={active ? 'page' : undefined}
      leftSection={Icon && <Icon size={16} stroke={1.7} aria-hidden />}
      rightSection={mark && <span className={`side-mark ${mark.tone ?? ''}`}>{mark.text}</span>}
      onClick={onGo}
      className="nav-entry"
    />
  );
}

/** The entries of the settings, in a column beside the page. */
export function SettingsNav() {
  return (
    <nav className="settings-nav" aria-label={t.nav.settings}>
      {settingsNav().map(entry => (
        <Entry key={entry.path} entry={entry} onGo={() => {}} />
      ))}
    </nav>
  );
}

const isHome = (path: string): boolean => path === paths.overview() || path === paths.staffStatus();

function isActive(path: string, here: string): boolean {
  if (isHome(path)) return here === path;
  return here === path || here.startsWith(`${path}/`);
}
