// The keys of the panel and the sheet that lists them. Single keys can be switched off there (WCAG 2.1.4); Ctrl/⌘ K stays,
// because it needs a modifier.
import { Kbd, Modal, Switch, Table } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { preferenceKeys, writePreference } from '../preferences.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { isTyping, runPageKey, shortcutsOn } from './shortcut-rules.ts';

// How long "g" waits for its second key.
const sequenceMs = 1_200;
const goTo: Record<string, () => string> = {
  o: paths.overview,
  s: paths.orders,
  r: paths.reports,
  i: paths.inbox,
  a: paths.apiLog,
  w: paths.webhook,
};

export function useShortcuts(openPalette: () => void, openSheet: () => void): void {
  const navigate = useNavigate();
  // A ref, because the frame renders with every poll, also between the two keys.
  const goUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!shortcutsOn() || isTyping(event)) return;
      const target = Date.now() < goUntil.current ? goTo[event.key] : undefined;
      goUntil.current = event.key === 'g' ? Date.now() + sequenceMs : 0;
      if (target) void navigate({ to: target() });
      else if (event.key === 'n') void navigate({ to: paths.send() });
      else if (event.key === '?') openSheet();
      else if (event.key === '/') {
        const field = document.querySelector<HTMLInputElement>('[data-list-search]');
        if (field) event.preventDefault();
        field?.focus();
      } else runPageKey(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, openPalette, openSheet]);
}

export function ShortcutSheet(props: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useState(shortcutsOn);
  const { staff } = useMe().user;
  const rows: [keys: string[], label: string][] = [
    [['Ctrl / ⌘', 'K'], t.shortcuts.palette],
    [['/'], t.shortcuts.search],
    [['n'], t.shortcuts.new],
    [['g', 'o'], t.shortcuts.overview],
    [['g', 's'], t.shortcuts.orders],
    [['g', 'r'], t.shortcuts.reports],
    [['g', 'i'], t.shortcuts.inbox],
    [['g', 'a'], t.shortcuts.apiLog],
    [['g', 'w'], t.shortcuts.webhook],
    [['j', 'k'], t.shortcuts.rows],
    [['Enter'], t.shortcuts.open],
    [['Esc'], t.shortcuts.close],
    [['x'], t.shortcuts.select],
    [['e'], t.table.export],
    [['d', 'w', 'm'], t.shortcuts.period],
    [['1', '…', '6'], t.shortcuts.cuts],
    [['t'], t.shortcuts.table],
    [['r'], t.shortcuts.reply],
    [['[', ']', 'c'], t.shortcuts.reference],
    ...(staff ? [[['p', 'a'], t.shortcuts.carriers] as [string[], string]] : []),
    [['Ctrl / ⌘', 'Enter'], t.shortcuts.sendNow],
    [['Ctrl / ⌘', 'Shift', 'Enter'], t.shortcuts.sendToMe],
    [['?'], t.shortcuts.sheet],
  ];
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t.shortcuts.title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Table>
        <Table.Tbody>
          {rows.map(([keys, label]) => (
            <Table.Tr key={label}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="right" className="nowrap">
                {keys.map(key => (
                  <Kbd key={key} ml={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={t.shortcuts.enabled}
        checked={on}
        onChange={event => {
          setOn(event.currentTarget.checked);
          writePreference(preferenceKeys.shortcuts, event.currentTarget.checked ? null : 'off');
        }}
      />
    </Modal>
  );
}
