// The right half of the header: search, balance, language, appearance, the person.
import {
  ActionIcon,
  Button,
  Group,
  Kbd,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import {
  IconBook,
  IconCoins,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconSunMoon,
  IconUser,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/panel-api/contract.ts';
import { call } from '../api.ts';
import { number } from '../format.ts';
import { paths } from '../paths.ts';
import { queryClient } from '../queries.ts';
import { useMe } from '../session.tsx';
import { languageCode, switchLanguage, t } from '../text/language.ts';
import { Bell } from './bell.tsx';
import { signOut } from './leave.ts';

type Props = { live: OutputOf<'live'> | undefined; onPalette: () => void; onSheet: () => void };

export function HeaderTools(props: Props) {
  const me = useMe();
  return (
    <Group gap={6} wrap="nowrap" className="header-tools">
      <Button
        variant="default"
        size="xs"
        visibleFrom="md"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={props.onPalette}
        fw={400}
      >
        {t.shell.searchHint}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        hiddenFrom="md"
        aria-label={t.shell.searchHint}
        onClick={props.onPalette}
      >
        <IconSearch size={18} />
      </ActionIcon>
      {me.account && props.live && (
        <Tooltip label={t.shell.balanceLabel}>
          <UnstyledButton component={Link} to={paths.balance()} px={8} py={4}>
            <Group gap={5} wrap="nowrap">
              <IconCoins size={16} aria-hidden className="spare" />
              <span className="visually-hidden">{t.shell.balanceLabel}:</span>
              <Text size="sm" fw={600} className="nowrap">
                <span>{number(props.live.balance)}</span>
                <Text span size="sm" fw={400} visibleFrom="sm">{` ${t.common.credits('').trim()}`}</Text>
              </Text>
            </Group>
          </UnstyledButton>
        </Tooltip>
      )}
      {me.account && <Bell live={props.live} />}
      <LanguageButton />
      <ThemeMenu />
      <UserMenu onSheet={props.onSheet} />
    </Group>
  );
}

export function LanguageButton() {
  const other = languageCode() === 'tr' ? 'en' : 'tr';
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      px={8}
      lang={other}
      leftSection={<IconLanguage size={16} aria-hidden className="spare" />}
      styles={{ section: { marginInlineEnd: 4 } }}
      aria-label={`${other.toUpperCase()}: ${t.shell.language}`}
      onClick={() => void switchLanguage(other)}
    >
      {other.toUpperCase()}
    </Button>
  );
}

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconSunMoon },
] as const;

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = schemes.find(scheme => scheme.value === colorScheme)?.icon ?? IconSunMoon;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={`${t.shell.theme}: ${t.shell[colorScheme]}`}>
          <Current size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            onClick={() => setColorScheme(value)}
            fw={value === colorScheme ? 700 : 400}
          >
            {t.shell[value]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu({ onSheet }: { onSheet: () => void }) {
  const me = useMe();
  const navigate = useNavigate();
  const change = async (accountId: number) => {
    await call('session.switchAccount', { accountId });
    queryClient.clear();
    window.location.assign('/panel/');
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t.shell.userMenu}>
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me.user.email}
          {me.account && ` · ${me.account.name} · ${t.roles[me.account.role]}`}
        </Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} component={Link} to={paths.profile()}>
          {t.nav.profile}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onSheet}>
          {t.shell.shortcuts}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBook size={16} />}
          component="a"
          href={languageCode() === 'tr' ? '/docs/' : '/docs/en/'}
          target="_blank"
        >
          {t.shell.manual}
        </Menu.Item>
        {me.accounts.length > 1 && <Menu.Label>{t.shell.switchAccount}</Menu.Label>}
        {me.accounts.length > 1 &&
          me.accounts.map(account => (
            <Menu.Item
              key={account.id}
              disabled={account.id === me.account?.id}
              onClick={() => void change(account.id)}
            >
              {account.name}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut(to => void navigate(to))}>
          {t.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
