// What they get: text with fields, and the counter that agrees with the server to the last character.
import { Anchor, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { fieldsIn } from '../../../../src/text/fields.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import type { Measured } from '../../recipients/messages.ts';
import { t } from '../../text/language.ts';
import { Note } from '../../ui/notes.tsx';
import { keepDraft, useDraft } from './draft.ts';
import { isName } from './field-names.ts';
import { ConversionNote, TextCounter } from './text-counter.tsx';

type Options = OutputOf<'send.options'>;

export function MessageStep({ options, measured }: { options: Options; measured: Measured | null }) {
  const draft = useDraft();
  const area = useRef<HTMLTextAreaElement>(null);
  const columns =
    draft.summary && draft.summary.names.length > 1
      ? draft.summary.names.filter((_, at) => at !== draft.summary?.numberColumn)
      : [];
  const unknown = fieldsIn(draft.text).filter(name => !columns.includes(name));
  const insert = (name: string) => {
    const at = area.current?.selectionStart ?? draft.text.length;
    keepDraft({ text: `${draft.text.slice(0, at)}{${name}}${draft.text.slice(area.current?.selectionEnd ?? at)}` });
    area.current?.focus();
  };
  return (
    <>
      {columns.length > 0 && (
        <Group gap={6} role="group" aria-label={t.send.fields}>
          <Text size="sm" c="dimmed">
            {t.send.fields}:
          </Text>
          {columns.map(name => (
            <Button
              key={name}
              size="compact-xs"
              variant="default"
              aria-label={t.send.insertField(name)}
              onClick={() => insert(name)}
            >
              {`{${name}}`}
            </Button>
          ))}
        </Group>
      )}
      <Textarea
        ref={area}
        label={t.send.text}
        placeholder={t.send.textPlaceholder}
        autosize
        minRows={4}
        maxRows={16}
        value={draft.text}
        onChange={event => keepDraft({ text: event.currentTarget.value })}
        aria-describedby="sayac"
      />
      <TextCounter text={draft.text} options={options} measured={measured} />
      <Text size="sm" c="dimmed" component="div">
        {t.send.modeNote(t.modes[options.mode])}{' '}
        <Anchor component={Link} to={paths.sending()} size="sm" underline="always">
          {t.send.changeMode}
        </Anchor>
      </Text>
      {unknown.length > 0 && (
        <Note kind="warn">{t.send.unknownField(unknown.map(name => `{${name}}`).join(', '))}</Note>
      )}
      {Object.entries(measured?.emptyFields ?? {}).map(([name, count]) => (
        <TextInput
          key={name}
          label={t.send.emptyField(name, number(count))}
          description={t.send.fallback}
          placeholder={isName(name) ? t.send.fallbackExample : undefined}
          value={draft.fallbacks[name] ?? ''}
          onChange={event => keepDraft({ fallbacks: { ...draft.fallbacks, [name]: event.currentTarget.value } })}
        />
      ))}
      <ConversionNote text={draft.text} mode={options.mode} />
    </>
  );
}
