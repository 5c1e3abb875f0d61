// Commands of the palette besides its pages. Commands that the role does not allow are left out.
import { useMantineColorScheme } from '@mantine/core';
import {
  IconBan,
  IconDownload,
  IconFilePlus,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSend,
  IconSun,
  IconSunMoon,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api.ts';
import { clearDraft } from '../pages/send/draft.ts';
import { paths } from '../paths.ts';
import { queryClient } from '../queries.ts';
import { useMay, useMe } from '../session.tsx';
import { languageCode, switchLanguage, t } from '../text/language.ts';
import { signOut } from './leave.ts';
import type { Search } from './search-state.ts';
import { takeExport } from './take-export.ts';
import { showFailure, showSuccess } from './toast.tsx';

export type Command = { id: string; label: string; description?: string; icon?: ReactNode; act: () => void };

const iconSize = 18;

export function useCommands(): Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const hasAccount = useMe().account !== null;
  const maySend = useMay('sender');
  const go = (to: string, search: Search = {}) => void navigate({ to, search });
  const other = languageCode() === 'tr' ? 'en' : 'tr';
  const schemes = { light: IconSun, dark: IconMoon, auto: IconSunMoon };
  const description = t.palette.command;
  const all: (Command & { when?: boolean })[] = [
    {
      id: 'send',
      label: t.palette.send,
      icon: <IconSend size={iconSize} />,
      act: () => go(paths.send()),
      when: maySend,
    },
    {
      id: 'draft',
      label: t.palette.draft,
      icon: <IconFilePlus size={iconSize} />,
      // The draft stays on the server; the form starts empty.
      act: () => void clearDraft().then(() => go(paths.send())),
      when: maySend,
    },
    {
      id: 'block',
      label: t.palette.block,
      icon: <IconBan size={iconSize} />,
      act: () => go(paths.blacklist(), { ekle: '1' }),
      when: maySend,
    },
    {
      id: 'export',
      label: t.palette.export,
      icon: <IconDownload size={iconSize} />,
      act: () => void exportOrders(),
      when: hasAccount,
    },
    {
      id: 'language',
      label: t.palette.language,
      icon: <IconLanguage size={iconSize} />,
      act: () => void switchLanguage(other),
    },
    ...(['light', 'dark', 'auto'] as const).map(value => {
      const Icon = schemes[value];
      const label = `${t.shell.theme}: ${t.shell[value]}`;
      return { id: value, label, icon: <Icon size={iconSize} />, act: () => setColorScheme(value) };
    }),
    {
      id: 'out',
      label: t.shell.signOut,
      icon: <IconLogout size={iconSize} />,
      act: () => void signOut(to => void navigate(to)),
    },
  ];
  return all.filter(one => one.when ?? true).map(({ when: _, ...one }) => ({ ...one, description, id: `c-${one.id}` }));
}

async function exportOrders(): Promise<void> {
  try {
    if ((await takeExport('orders', 'xlsx', {})) === 'saved') return;
    showSuccess(t.bell.exportQueued);
    void queryClient.invalidateQueries({ queryKey: ['live'] });
  } catch (error) {
    showFailure(sentenceOf(error));
  }
}
