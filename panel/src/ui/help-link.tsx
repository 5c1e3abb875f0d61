// From a page to its section of the guide.
import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { languageCode, t } from '../text/language.ts';
import { guideAddress } from './help-sections.ts';

export function HelpLink() {
  const path = useRouterState({ select: state => state.location.pathname });
  const address = guideAddress(path, languageCode());
  if (!address) return null;
  return (
    <ActionIcon
      component="a"
      href={address}
      target="_blank"
      variant="subtle"
      color="gray"
      visibleFrom="sm"
      aria-label={t.shell.help}
      title={t.shell.help}
    >
      <IconHelp size={16} stroke={1.7} />
    </ActionIcon>
  );
}
