// Ctrl/⌘ K: pages, actions, and what the server finds (order ids, numbers in any form, sender IDs). Loaded when first
// opened; the server is asked only after a pause in typing.
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconListDetails, IconPhone, IconSearch, IconSignature } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { asTurkishMobile, dateMinute, fold, phone } from '../format.ts';
import { paths } from '../paths.ts';
import { useRead } from '../queries.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { customerNav, settingsNav, staffNav } from './nav-entries.ts';

const pauseMs = 200;
const shownMax = 12;
const [store, controls] = createSpotlight();

export default function Palette(props: { opened: boolean; onClose: () => void }) {
  const me = useMe();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), pauseMs);
  const found = useRead('search', { text: asked }, { enabled: asked.length >= 2 && me.account !== null, keep: false });
  useEffect(() => {
    if (props.opened) controls.open();
    else controls.close();
  }, [props.opened]);
  const go = (path: string) => () => void navigate({ to: path });
  const pages = pageActions(me.account !== null, me.user.staff, go);
  const matching = pages.filter(page => fold(page.label ?? '').includes(fold(query.trim())));
  const hits = asked.length >= 2 ? hitActions(found.data?.hits ?? [], query, go) : [];
  return (
    <Spotlight
      store={store}
      actions={[...hits, ...matching].slice(0, shownMax)}
      filter={(_, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      shortcut={null}
      nothingFound={t.shell.nothingFound}
      searchProps={{
        placeholder: t.shell.searchPlaceholder,
        'aria-label': t.shell.searchHint,
        leftSection: <IconSearch size={18} />,
      }}
    />
  );
}

type Go = (path: string) => () => void;

function pageActions(hasAccount: boolean, isStaff: boolean, go: Go): SpotlightActionData[] {
  const groups = [...(hasAccount ? customerNav(true) : []), ...(isStaff ? [staffNav()] : [])];
  const entries = groups.flatMap(group => group.entries.map(entry => ({ entry, group: group.label })));
  const settings = hasAccount ? settingsNav().map(entry => ({ entry, group: t.nav.settings })) : [];
  return [...entries, ...settings].map(({ entry, group }) => ({
    id: `${group}${entry.path}${entry.label}`,
    label: entry.label,
    description: group ?? undefined,
    onClick: go(entry.path),
  }));
}

function hitActions(hits: OutputOf<'search'>['hits'], query: string, go: Go): SpotlightActionData[] {
  const actions = hits.map((hit): SpotlightActionData => {
    if (hit.kind === 'order') {
      const label = `${t.order.name(String(hit.id))} · ${hit.sender}`;
      return {
        id: `o${hit.id}`,
        label,
        description: dateMinute(hit.submitAt),
        leftSection: <IconListDetails size={18} />,
        onClick: go(paths.order(String(hit.id))),
      };
    }
    if (hit.kind === 'number') {
      return {
        id: `n${hit.digits}`,
        label: phone(hit.number),
        description: t.nav.number,
        leftSection: <IconPhone size={18} />,
        onClick: go(paths.number(hit.digits)),
      };
    }
    return {
      id: `s${hit.name}`,
      label: hit.name,
      description: t.nav.senders,
      leftSection: <IconSignature size={18} />,
      onClick: go(paths.senders()),
    };
  });
  const typed = asTurkishMobile(query);
  if (typed && !actions.some(action => action.id === `n${typed}`)) {
    actions.unshift({
      id: `n${typed}`,
      label: phone(typed),
      description: t.nav.number,
      leftSection: <IconPhone size={18} />,
      onClick: go(paths.number(typed)),
    });
  }
  return actions;
}
