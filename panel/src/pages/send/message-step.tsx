// What they get: sender, text with fields, the counter that agrees with the server to the last character, and the
// phone beside it.
import { Anchor, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import { fieldsIn } from '../../../../src/text/fields.ts';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/notes.tsx';
import { keepDraft, useDraft } from './draft.ts';
import { Handset } from './handset.tsx';
import { ConversionNote, TextCounter } from './text-counter.tsx';
import { useMeasured } from './use-measured.ts';

type Options = OutputOf<'send.options'>;

export function MessageStep({ options }: { options: Options }) {
  const draft = useDraft();
  const area = useRef<HTMLTextAreaElement>(null);
  const measured = useMeasured(options.mode);
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
    <div className="with-handset">
      <Stack gap="md">
        <Card>
          <Stack gap="md">
            <NativeSelect
              label={t.send.sender}
              description={t.send.senderHint}
              value={draft.sender}
              data={options.senders}
              error={options.senders.length === 0 ? t.send.noSenders : undefined}
              onChange={event => keepDraft({ sender: event.currentTarget.value })}
            />
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
              minRows={6}
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
                placeholder={t.send.fallbackExample}
                value={draft.fallbacks[name] ?? ''}
                onChange={event => keepDraft({ fallbacks: { ...draft.fallbacks, [name]: event.currentTarget.value } })}
              />
            ))}
          </Stack>
        </Card>
        <ConversionNote text={draft.text} mode={options.mode} />
      </Stack>
      <Handset sender={draft.sender} template={draft.text} options={options} worst={measured?.worst} />
    </div>
  );
}
