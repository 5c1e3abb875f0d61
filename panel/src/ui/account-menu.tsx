// The account and its user at the foot of the menu, with a menu for what is used rarely: profile, language, appearance, keys,
// guide, other accounts, sign-out.
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconBook,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconSunMoon,
  IconUser,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { queryClient } from '../queries.ts';
import { useMe } from '../session.tsx';
import { languageCode, switchLanguage, t } from '../text/language.ts';
import { signOut } from './leave.ts';

const schemes = [
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
  { value: 'auto', icon: IconSunMoon },
] as const;

export function AccountMenu({ onSheet, onGo }: { onSheet: () => void; onGo: () => void }) {
  const me = useMe();
  const navigate = useNavigate();
  const person = me.user.name || me.user.email;
  const role = me.account ? t.roles[me.account.role] : t.nav.operator;
  const name = me.account?.name ?? person;
  const others = me.accounts.filter(account => account.id !== me.account?.id);
  return (
    <Menu position="top-start" width={248}>
      <Menu.Target>
        <UnstyledButton className="side-account">
          <span className="visually-hidden">{t.shell.userMenu}: </span>
          <span className="avatar" aria-hidden>
            {[...name][0]?.toLocaleUpperCase(languageCode())}
          </span>
          <span className="side-who">
            <b>{name}</b>
            <span className="side-person">
              {me.account && <span>{person}</span>}
              <span>{me.account ? `\u00a0· ${role.toLocaleLowerCase(languageCode())}` : role}</span>
            </span>
          </span>
          <IconSelector size={16} stroke={1.7} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.user.email}</Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} component={Link} to={paths.profile()} onClick={onGo}>
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
        <LookItems />
        {others.length > 0 && <Menu.Label>{t.shell.switchAccount}</Menu.Label>}
        {others.map(account => (
          <Menu.Item key={account.id} onClick={() => void switchAccount(account.id)}>
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

export async function switchAccount(accountId: number): Promise<void> {
  await call('session.switchAccount', { accountId });
  queryClient.clear();
  window.location.assign('/panel/');
}

function LookItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const other = languageCode() === 'tr' ? 'en' : 'tr';
  return (
    <>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLanguage size={16} />} lang={other} onClick={() => void switchLanguage(other)}>
        {t.shell.language}
      </Menu.Item>
      {schemes
        .filter(scheme => scheme.value !== colorScheme)
        .map(({ value, icon: Icon }) => (
          <Menu.Item key={value} leftSection={<Icon size={16} />} onClick={() => setColorScheme(value)}>
            {`${t.shell.theme}: ${t.shell[value]}`}
          </Menu.Item>
        ))}
      <Menu.Divider />
    </>
  );
}
