// The operator's terms of use and privacy notice as they are in force, for everybody.
import '../../mantine-more.css';
import { Stack, Text, Title } from '@mantine/core';
import { paths } from '../../paths.ts';
import { useRead } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { LegalBody } from '../../ui/legal-text.tsx';
import { Note } from '../../ui/notes.tsx';
import { PublicFrame, TextLink } from '../../ui/public-frame.tsx';
import { ReadState } from '../../ui/read-state.tsx';
import { Time } from '../../ui/time.tsx';

export default function TextsPage() {
  const read = useRead('legal.current', {});
  return (
    <PublicFrame title={t.legal.title} below={<TextLink to={paths.signIn()}>{t.reset.back}</TextLink>}>
      <ReadState of={read} />
      <Stack gap="xl">
        {read.data?.texts.map(text => (
          <section key={text.kind}>
            <Title order={2}>{t.legal.kinds[text.kind]}</Title>
            <Text size="sm" c="dimmed" mb="sm">
              {t.legal.version(text.version)} · <Time at={text.validFrom} exact />
            </Text>
            {text.isTemplate && <Note kind="warn">{t.legal.template}</Note>}
            <LegalBody text={text} />
          </section>
        ))}
      </Stack>
    </PublicFrame>
  );
}
