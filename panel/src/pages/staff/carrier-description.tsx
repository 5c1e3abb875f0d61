// The description of a carrier over HTTP: a preset, or an own text that may start from one; and the secrets it names. Faults are
// listed by member.
import { Button, List, PasswordInput, Stack, Textarea } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { CarrierLine } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ReadState } from '../../ui/read-state.tsx';

type Description = {
  read: ComponentProps<typeof ReadState>['of'];
  /** The stored description; '' while there is none. */
  text: string;
  isOwn: boolean;
  secretsSet: string[];
  typed: Record<string, string>;
  setText: (text: string) => void;
  setSecret: (name: string, value: string) => void;
  /** What the form submits. */
  members: { definition?: string; secrets?: Record<string, string> };
};

const named = /\{\{secret:([a-z][a-z0-9_]{0,30})\}\}/g;

/** The description of the chosen preset, or of the carrier. */
export function useDescription(carrier: CarrierLine | null, kind: string, preset: string): Description {
  const [own, setOwn] = useState<string | null>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const source = preset ? { preset } : { name: carrier?.name ?? '' };
  const isStored = carrier !== null && carrier.values['preset'] === preset;
  const read = useRead('staff.carrierDescription', isStored ? { name: carrier.name } : source, {
    enabled: kind === 'http' && (preset !== '' || isStored),
    keep: false,
  });
  const known = read.data?.definition ?? '';
  const secrets = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
  return {
    read,
    text: preset === '' ? (own ?? known) : known,
    isOwn: preset === '',
    secretsSet: isStored ? (read.data?.secretsSet ?? []) : [],
    typed,
    setText: setOwn,
    setSecret: (name, value) => setTyped({ ...typed, [name]: value }),
    members: kind === 'http' ? { ...(preset === '' && own !== null ? { definition: own } : {}), secrets } : {},
  };
}

type Props = { description: Description; faults: Map<string, string>; onEdit: () => void };

export function CarrierDescription({ description, faults, onEdit }: Props) {
  const { read, text, isOwn, secretsSet, typed, setText, setSecret } = description;
  const wrong = [...faults].filter(([field]) => field.startsWith('definition'));
  const names = [...new Set(Array.from(text.matchAll(named), found => found[1]!))].filter(one => one !== 'password');
  return (
    <Stack gap="sm">
      <ReadState of={read} height={120} />
      {isOwn ? (
        <Textarea
          label={t.carrierDescription.label}
          description={t.carrierDescription.help}
          classNames={{ input: 'mono' }}
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          value={text}
          error={wrong.length > 0 ? t.carrierDescription.faults(wrong.length) : undefined}
          onChange={event => setText(event.currentTarget.value)}
        />
      ) : null}
      {wrong.length > 0 && (
        <List size="sm" className="mono" aria-label={t.carrierDescription.faultList}>
          {wrong.map(([field, sentence]) => (
            <List.Item key={field}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {!isOwn && text !== '' && (
        <Button
          variant="default"
          onClick={() => {
            setText(text);
            onEdit();
          }}
        >
          {t.carrierDescription.edit}
        </Button>
      )}
      {names.map(name => (
        <PasswordInput
          key={name}
          label={`${t.carrierDescription.secret} ${name}`}
          description={[wordFor(text, name), secretsSet.includes(name) ? t.carriers.passwordKeep : '']
            .filter(Boolean)
            .join(' · ')}
          autoComplete="off"
          required={!secretsSet.includes(name)}
          value={typed[name] ?? ''}
          error={faults.get(`secret:${name}`)}
          onChange={event => setSecret(name, event.currentTarget.value)}
        />
      ))}
    </Stack>
  );
}

/** The provider's own name for it, from the description. */
export function wordFor(text: string, name: string): string {
  try {
    const { credentials } = JSON.parse(text) as { credentials?: Record<string, unknown> };
    return typeof credentials?.[name] === 'string' ? credentials[name] : '';
  } catch {
    return '';
  }
}
