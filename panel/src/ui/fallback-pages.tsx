// Pages shown instead of one that is missing, forbidden or broken. They keep the menu and link to another page.
import { Button, Group } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isCodeLost } from '../outage.ts';
import { paths } from '../paths.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { Page } from './page.tsx';

const HomeButton = () => (
  <Button component={Link} to={paths.overview()} variant="default">
    {t.missing.home}
  </Button>
);

export function MissingPage() {
  const path = useRouterState({ select: state => state.location.pathname });
  return (
    <Page title={t.missing.title} lead={`${t.missing.body(path)} ${t.missing.search}`}>
      <Group>
        <HomeButton />
      </Group>
    </Page>
  );
}

export function StaffOnly() {
  const me = useMe();
  const path = useRouterState({ select: state => state.location.pathname });
  if (me.user.staff) return <Outlet />;
  return (
    <Page title={t.missing.forbidden} lead={t.missing.forbiddenBody(path)}>
      <Group>
        <HomeButton />
      </Group>
    </Page>
  );
}

export function CrashPage({ error }: { error: unknown }) {
  // Short enough to read out; the browser's console has the error under the same reference.
  const [reference] = useState(() => Date.now().toString(36).toUpperCase());
  useEffect(() => console.error(reference, error), [reference, error]);
  if (isCodeLost())
    return (
      <Page title={t.missing.lost} lead={t.missing.lostBody}>
        <Group>
          <Button onClick={() => window.location.reload()}>{t.load.reload}</Button>
        </Group>
      </Page>
    );
  return (
    <Page title={t.missing.crash} lead={t.missing.crashBody(reference)}>
      <Group>
        <Button onClick={() => window.location.reload()}>{t.load.reload}</Button>
        <HomeButton />
      </Group>
    </Page>
  );
}
