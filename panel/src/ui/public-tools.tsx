// Language and appearance for people who are not signed in.
import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { languageCode, switchLanguage, t } from '../text/language.ts';

export function PublicTools() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const other = languageCode() === 'tr' ? 'en' : 'tr';
  const Scheme = isDark ? IconSun : IconMoon;
  const next = isDark ? 'light' : 'dark';
  return (
    <span className="public-tools">
      <UnstyledButton lang={other} onClick={() => void switchLanguage(other)}>
        <IconLanguage size={16} stroke={1.7} aria-hidden />
        {t.shell.language}
      </UnstyledButton>
      <UnstyledButton aria-label={`${t.shell.theme}: ${t.shell[next]}`} onClick={() => setColorScheme(next)}>
        <Scheme size={16} stroke={1.7} aria-hidden />
        {t.shell[next]}
      </UnstyledButton>
    </span>
  );
}
