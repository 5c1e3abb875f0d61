// How messages of this account are encoded, whether they may go abroad, and which words put a number on the blacklist.
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { Radio, Stack, Switch, TagsInput, Text } from '@mantine/core';
import type { Mode } from '../../../../src/panel-api/contract/shapes.ts';
import { number } from '../../format.ts';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Page } from '../../ui/page.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Setting } from './setting.tsx';

export default function SendingPage() {
  const read = useRead('settings.read', {});
  const mayOwn = useMay('owner');
  const save = useChange('settings.setSending', { done: t.common.saved });
  const settings = read.data;
  const modes: [Mode, string][] = [
    ['english', t.sending.modeEnglish],
    ['turkish', t.sending.modeTurkish],
    ['unicode', t.sending.modeUnicode],
  ];
  return (
    <Page title={t.sending.title} lead={settings && t.sending.rate(number(settings.rate))}>
      <ReadState of={read} />
      {settings && (
        <div className="settings-rows">
          <Setting label={t.sending.mode} tall>
            <Radio.Group
              value={settings.mode}
              onChange={mode => save.mutate({ mode: mode as Mode })}
              aria-label={t.sending.mode}
            >
              <Stack gap="sm">
                {modes.map(([mode, about]) => (
                  <Radio key={mode} value={mode} label={t.modes[mode]} description={about} disabled={!mayOwn} />
                ))}
              </Stack>
            </Radio.Group>
          </Setting>
          <Setting label={t.sending.abroad} hint={t.sending.abroadHint}>
            <Switch
              aria-label={t.sending.abroad}
              checked={settings.abroad}
              disabled={!mayOwn}
              onChange={event => save.mutate({ abroad: event.currentTarget.checked })}
            />
          </Setting>
          <Setting label={t.sending.keywords} hint={t.sending.keywordsHint(settings.legalKeywords.join(', '))} tall>
            <TagsInput
              aria-label={t.sending.keywords}
              value={settings.optOutKeywords.filter(word => !settings.legalKeywords.includes(word))}
              disabled={!mayOwn}
              maxTags={20}
              onChange={optOutKeywords => save.mutate({ optOutKeywords })}
            />
          </Setting>
          {!mayOwn && (
            <Text size="sm" c="dimmed">
              {t.roles.needs(t.roles.owner)}
            </Text>
          )}
        </div>
      )}
    </Page>
  );
}
