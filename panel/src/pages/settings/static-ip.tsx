// The two IP allow lists. People cannot lock themselves out: the form warns, and the server refuses.
import { ActionIcon, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { sentenceOf } from '../../api.ts';
import { number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { PlainTable } from '../../ui/plain-table.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Time } from '../../ui/time.tsx';
import { Tone } from '../../ui/tone.tsx';

type Settings = OutputOf<'settings.read'>;
type ListName = 'api' | 'panel';
const addressesMax = 5;

export default function StaticIpPage() {
  const read = useRead('settings.read', {});
  const settings = read.data;
  return (
    <Page title={t.ip.title} lead={t.ip.lead}>
      <ReadState of={read} />
      {settings && (
        <>
          <Text size="sm">{t.ip.yourAddress(settings.address)}</Text>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <AddressList key={`p${settings.panelAddresses.join()}`} name="panel" settings={settings} />
            <AddressList key={`a${settings.apiAddresses.join()}`} name="api" settings={settings} />
          </SimpleGrid>
          {settings.recentAddresses.length > 0 && <Recent settings={settings} />}
        </>
      )}
    </Page>
  );
}

function AddressList({ name, settings }: { name: ListName; settings: Settings }) {
  const saved = name === 'api' ? settings.apiAddresses : settings.panelAddresses;
  const [addresses, setAddresses] = useState(saved);
  const [typed, setTyped] = useState('');
  const mayOwn = useMay('owner');
  const save = useChange('settings.setAddresses', { ownErrors: true, done: t.common.saved });
  const full = addresses.length >= addressesMax;
  const add = (address: string) => {
    const trimmed = address.trim();
    if (trimmed !== '' && !full) setAddresses([...new Set([...addresses, trimmed])]);
    setTyped('');
  };
  const locksOut = name === 'panel' && addresses.length > 0 && !addresses.includes(settings.address);
  const changed = addresses.join() !== saved.join();
  return (
    <Card title={t.ip[name]}>
      <Stack gap="sm">
        {addresses.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.ip.noLimit}
          </Text>
        )}
        {addresses.map(address => (
          <Group key={address} justify="space-between">
            <Group gap="sm">
              <span className="mono">{address}</span>
              {address === settings.address && <Tone tone="blue">{t.ip.yours}</Tone>}
            </Group>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t.ip.removeAddress(address)}
              disabled={!mayOwn}
              onClick={() => setAddresses(addresses.filter(one => one !== address))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        {mayOwn && (
          <form
            onSubmit={event => {
              event.preventDefault();
              add(typed);
            }}
          >
            <Group align="flex-end" gap="sm">
              <TextInput
                label={t.ip.address}
                value={typed}
                disabled={full}
                description={full ? t.ip.full : undefined}
                className="mono-input"
                onChange={event => setTyped(event.currentTarget.value)}
                style={{ flex: '1 1 140px' }}
              />
              <Button type="submit" variant="default" disabled={full}>
                {t.ip.add}
              </Button>
            </Group>
          </form>
        )}
        {mayOwn && !addresses.includes(settings.address) && !full && (
          <button type="button" className="text-button" onClick={() => add(settings.address)}>
            {t.ip.addMine} ({settings.address})
          </button>
        )}
        {locksOut && <Note kind="warn">{t.ip.lockOut(settings.address)}</Note>}
        {save.error ? <Note kind="bad">{sentenceOf(save.error)}</Note> : null}
        <Group>
          <RoleButton
            need="owner"
            loading={save.isPending}
            reason={changed ? (locksOut ? t.ip.lockOut(settings.address) : null) : t.common.saved}
            onClick={() => save.mutate({ list: name, addresses })}
          >
            {t.ip.save}
          </RoleButton>
        </Group>
      </Stack>
    </Card>
  );
}

function Recent({ settings }: { settings: Settings }) {
  return (
    <Card title={t.ip.recent} flush>
      <PlainTable
        rows={settings.recentAddresses}
        rowKey={row => row.address}
        columns={[
          { header: t.ip.address, cell: row => row.address, className: 'mono' },
          { header: t.ip.calls, cell: row => number(row.calls), className: 'right' },
          { header: t.ip.refused, cell: row => number(row.refused), className: 'right' },
          { header: t.ip.last, cell: row => <Time at={row.lastAt} /> },
          {
            header: t.common.state,
            cell: row => <Listed isListed={row.isListed} hasList={settings.apiAddresses.length > 0} />,
          },
        ]}
      />
    </Card>
  );
}

/** An empty list allows every address, so it never lacks the caller's own. */
function Listed({ isListed, hasList }: { isListed: boolean; hasList: boolean }) {
  if (!hasList) return <Tone tone="gray">{t.ip.unlimited}</Tone>;
  return <Tone tone={isListed ? 'teal' : 'orange'}>{isListed ? t.ip.listed : t.ip.notListed}</Tone>;
}
