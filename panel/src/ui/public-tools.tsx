// Language and appearance for people who are not signed in.
import { Group } from '@mantine/core';
import { LanguageButton, ThemeMenu } from './header-tools.tsx';

export function HeaderButtons() {
  return (
    <Group gap={4}>
      <LanguageButton />
      <ThemeMenu />
    </Group>
  );
}
