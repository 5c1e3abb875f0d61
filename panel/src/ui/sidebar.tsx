// The menu beside the page. "Başlarken" leaves it once all seven steps are done; the palette still finds it.
import { Badge, NavLink, ScrollArea, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { number } from '../format.ts';
import { paths } from '../paths.ts';
import { preferenceKeys, readPreference } from '../preferences.ts';
import { useRead } from '../queries.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { customerNav, type NavEntry, staffNav } from './nav-entries.ts';

type Live = OutputOf<'live'> | undefined;

export function Sidebar({ live, onGo }: { live: Live; onGo: () => void }) {
  const me = useMe();
  const onboarding = useRead('onboarding.read', {}, { enabled: me.account !== null });
  const open = onboarding.data?.steps.some(step => step.state !== 'done') ?? false;
  const groups = [...(me.account ? customerNav(open) : []), ...(me.user.staff ? [staffNav()] : [])];
  return (
    <ScrollArea component="nav" aria-label={t.nav.main} flex={1} p={8} type="auto">
      {groups.map((group, at) => (
        <div key={group.label ?? at} style={{ marginBottom: 10 }}>
          {group.label && (
            <Text size="xs" fw={600} c="dimmed" px={10} pt={6} pb={2}>
              {group.label}
            </Text>
          )}
          {group.entries.map(entry => (
            <Entry key={entry.path} entry={entry} onGo={onGo} count={countFor(entry.path, live)} />
          ))}
        </div>
      ))}
    </ScrollArea>
  );
}

/** A figure beside an entry where something waits; zero shows nothing. */
function countFor(path: string, live: Live): number {
  if (!live) return 0;
  if (path === paths.staffApplications()) return live.staff?.applicationsWaiting ?? 0;
  if (path === paths.staffCarriers()) return live.staff?.carriersDown ?? 0;
  if (path === paths.orders()) return live.running.length;
  if (path === paths.apiLog()) return live.apiRefusals;
  if (path === paths.inbox()) return live.inboxLatest > Number(readPreference(preferenceKeys.seenInbox) ?? 0) ? 1 : 0;
  return 0;
}

function Entry({ entry, onGo, count }: { entry: NavEntry; onGo: () => void; count: number }) {
  const here = useRouterState({ select: state => state.location.pathname });
  const inside = entry.children?.some(child => here === child.path) ?? false;
  const active = isActive(entry.path, here) && !entry.children;
  const Icon = entry.icon;
  return (
    <>
      <NavLink
        component={Link}
        to={entry.path}
        activeOptions={{ exact: entry.children !== undefined || isHome(entry.path) }}
        label={entry.label}
        active={active}
        aria-current={active ? 'page' : undefined}
        leftSection={Icon && <Icon size={17} stroke={1.6} aria-hidden />}
        rightSection={count > 0 && <CountMark path={entry.path} count={count} />}
        onClick={onGo}
        className="nav-entry"
      />
      {inside &&
        entry.children?.map(child => (
          <NavLink
            key={child.path}
            component={Link}
            to={child.path}
            label={child.label}
            active={here === child.path}
            aria-current={here === child.path ? 'page' : undefined}
            onClick={onGo}
            className="nav-entry nav-child"
          />
        ))}
    </>
  );
}

function CountMark({ path, count }: { path: string; count: number }) {
  return (
    <Badge size="xs" variant="filled" color="gray.7" aria-label={String(count)}>
      {path === paths.inbox() ? '•' : number(count)}
    </Badge>
  );
}

const isHome = (path: string): boolean => path === paths.overview() || path === paths.staffStatus();

function isActive(path: string, here: string): boolean {
  if (isHome(path)) return here === path;
  return here === path || here.startsWith(`${path}/`);
}
