// Ctrl/⌘ K: pages, commands, and what the server finds (order ids, numbers in any form, sender IDs). Loaded when first
// opened; the server is asked only after a pause in typing.
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconBuilding, IconListDetails, IconPhone, IconSearch, IconSignature } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { asTurkishMobile, dateMinute, fold, phone } from '../format.ts';
import { paths } from '../paths.ts';
import { useRead } from '../queries.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { customerNav, settingsNav, staffNav } from './nav-entries.ts';
import { type Command, useCommands } from './palette-commands.tsx';

const pauseMs = 200;
const shownMax = 12;
const [store, controls] = createSpotlight();

export default function Palette(props: { opened: boolean; onClose: () => void }) {
  const me = useMe();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), pauseMs);
  const found = useRead('search', { text: asked }, { enabled: asked.length >= 2 && me.account !== null, keep: false });
  const ofAll = useRead('staff.search', { text: asked }, { enabled: asked.length >= 2 && me.user.staff, keep: false });
  useEffect(() => {
    if (props.opened) controls.open();
    else controls.close();
  }, [props.opened]);
  const commands = useCommands();
  const open = ({ path, ...one }: Found): Command => ({ ...one, act: () => void navigate({ to: path }) });
  const pages = pageActions(me.account !== null, me.user.staff);
  const matches = (one: { label: string }) => fold(one.label).includes(fold(query.trim()));
  const own = asked.length >= 2 ? hitActions(found.data?.hits ?? [], query, me.account !== null) : [];
  const hits = [...own, ...(asked.length >= 2 ? (ofAll.data?.hits ?? []) : []).flatMap(supportActions)];
  const reached = [...hits.map(open), ...pages.filter(matches).map(open)];
  // Without a query the commands come first: nobody knows their names yet.
  const shown = (query.trim() === '' ? [...commands, ...reached] : [...reached, ...commands.filter(matches)]).slice(
    0,
    shownMax,
  );
  // Enter takes the first hit: paste a number, press Enter.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || store.getState().selected >= 0 || query.trim() === '') return;
    const first = shown[0];
    if (!first) return;
    first.act();
    controls.close();
  };
  return (
    <Spotlight
      store={store}
      actions={shown.map(({ act, icon, ...action }) => ({ ...action, leftSection: icon, onClick: act }))}
      filter={(_, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      shortcut={null}
      overlayProps={{ blur: 0 }}
      nothingFound={t.shell.nothingFound}
      attributes={{ content: { 'aria-label': t.shell.searchHint } }}
      searchProps={{
        placeholder: t.shell.searchPlaceholder,
        'aria-label': t.shell.searchHint,
        leftSection: <IconSearch size={18} />,
        onKeyDown,
      }}
    />
  );
}

type Found = { id: string; label: string; description?: string; icon?: ReactNode; path: string };

function pageActions(hasAccount: boolean, isStaff: boolean): Found[] {
  const groups = [...(hasAccount ? customerNav(true) : []), ...(isStaff ? staffNav(t.nav.operator) : [])];
  const entries = groups.flatMap(group => group.entries.map(entry => ({ entry, group: group.label })));
  const settings = hasAccount ? settingsNav().map(entry => ({ entry, group: t.nav.settings })) : [];
  return [...entries, ...settings].map(({ entry, group }) => ({
    id: entry.path,
    label: entry.label,
    description: group ?? undefined,
    path: entry.path,
  }));
}

function hitActions(hits: OutputOf<'search'>['hits'], query: string, hasAccount: boolean): Found[] {
  const found = hits.map(hitAction);
  const typed = asTurkishMobile(query);
  if (typed && hasAccount && !found.some(hit => hit.path === paths.number(typed))) found.unshift(numberAction(typed));
  return found;
}

function hitAction(hit: OutputOf<'search'>['hits'][number]): Found {
  if (hit.kind === 'number') return numberAction(hit.digits);
  if (hit.kind === 'sender') {
    const icon = <IconSignature size={18} />;
    return { id: `s${hit.name}`, label: hit.name, description: t.nav.senders, icon, path: paths.senders() };
  }
  const label = `${t.order.name(String(hit.id))} · ${hit.sender}`;
  const icon = <IconListDetails size={18} />;
  return { id: `o${hit.id}`, label, description: dateMinute(hit.submitAt), icon, path: paths.order(String(hit.id)) };
}

/** Hits of staff among all customers lead to the page of the account, where viewing them needs a reason. */
function supportActions(hit: OutputOf<'staff.search'>['hits'][number]): Found[] {
  const icon = <IconBuilding size={18} />;
  if (hit.kind === 'account') {
    const path = paths.staffAccount(String(hit.id));
    return [
      { id: `a${hit.id}`, label: hit.name, description: `${t.nav.staffAccounts} · ${hit.owner ?? hit.id}`, icon, path },
    ];
  }
  if (hit.kind === 'user')
    return hit.accounts.map(one => ({
      ...{ id: `u${hit.email}${one.id}`, label: hit.email, description: one.name, icon },
      path: paths.staffAccount(String(one.id)),
    }));
  const { accountId, accountName: description } = hit;
  const page = paths.staffAccount(String(accountId));
  if (hit.kind === 'order') {
    const label = t.order.name(String(hit.id));
    return [{ id: `x${hit.id}`, label, description, icon, path: `${page}?siparis=${hit.id}` }];
  }
  const label = phone(hit.digits);
  return [{ id: `y${hit.digits}${accountId}`, label, description, icon, path: `${page}?numara=${hit.digits}` }];
}

function numberAction(digits: string): Found {
  const icon = <IconPhone size={18} />;
  return { id: `n${digits}`, label: phone(digits), description: t.nav.number, icon, path: paths.number(digits) };
}
