// The frame around every signed-in page: header, sidebar (a drawer and a bottom bar on a phone), the strips that
// concern the whole account, and the dialogs that can open anywhere.
import { AppShell, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Fault } from '../api.ts';
import { hourMinute, number } from '../format.ts';
import { isOutage } from '../outage.ts';
import { learnPublicUrl, paths } from '../paths.ts';
import { useRead } from '../queries.ts';
import { SessionContext, useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConfirmHost } from './confirm.tsx';
import { HeaderTools } from './header-tools.tsx';
import { NewVersion } from './new-version.tsx';
import { LoadError, Note } from './notes.tsx';
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { ViewStrip } from './support-view.tsx';
import { useLive } from './use-live.ts';

const AcceptTexts = lazy(() => import('./accept-texts.tsx'));
const Palette = lazy(() => import('./palette.tsx'));

export function Shell() {
  const me = useRead('session.me', {});
  const router = useRouter();
  const signedOut = me.error instanceof Fault && !isOutage(me.error) && !me.data;
  useEffect(() => {
    if (!signedOut) return;
    const donus = router.state.location.href;
    void router.navigate({ to: paths.signIn(), search: { donus } as never, replace: true });
  }, [signedOut, router]);
  if (me.data) {
    learnPublicUrl(me.data.publicUrl);
    return (
      <SessionContext.Provider value={me.data}>
        <Frame key={me.data.account?.id ?? 0} />
      </SessionContext.Provider>
    );
  }
  if (me.error && !signedOut) return <LoadError error={me.error} retry={() => void me.refetch()} />;
  return null;
}

function Frame() {
  const [menuOpen, menu] = useDisclosure(false);
  const [palette, setPalette] = useState<'unloaded' | 'open' | 'closed'>('unloaded');
  const [sheetOpen, sheet] = useDisclosure(false);
  const live = useLive();
  const { mustAccept } = useMe();
  useShortcuts(() => setPalette('open'), sheet.open);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 256, breakpoint: 'sm', collapsed: { mobile: !menuOpen } }}
      footer={{ height: { base: 56, sm: 0 } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#icerik" className="skip">
        {t.nav.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="xs" wrap="nowrap">
            <img src="/panel/icon.svg" alt="" width={24} height={24} />
            <Text fw={700} visibleFrom="xs">
              Peyk
            </Text>
          </Group>
          <HeaderTools live={live.data} onPalette={() => setPalette('open')} onSheet={sheet.open} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Sidebar live={live.data} onGo={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="icerik">
        <Strips live={live} />
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <BottomBar onMenu={menu.toggle} />
      </AppShell.Footer>
      {palette !== 'unloaded' && (
        <Suspense fallback={null}>
          <Palette opened={palette === 'open'} onClose={() => setPalette('closed')} />
        </Suspense>
      )}
      <ShortcutSheet opened={sheetOpen} onClose={sheet.close} />
      {mustAccept && (
        <Suspense fallback={null}>
          <AcceptTexts />
        </Suspense>
      )}
      <ConfirmHost />
      <SignInAgain />
    </AppShell>
  );
}

function Strips({ live }: { live: ReturnType<typeof useLive> }) {
  const me = useMe();
  const { downNames = [], waiting = 0, cellsSilent = [] } = live.data?.staff ?? {};
  const path = useRouterState({ select: state => state.location.pathname });
  return (
    <div className="strips">
      <ViewStrip />
      {live.isError && live.data && <Note kind="warn">{t.load.offline(hourMinute(new Date(live.dataUpdatedAt)))}</Note>}
      {me.account?.status === 'suspended' && <Note kind="bad">{t.shell.suspended}</Note>}
      {me.user.lacksSecondFactor ? (
        <Note kind="warn">
          <Link to={paths.profile()} className="link">
            {t.shell.secondFactor}
          </Link>
        </Note>
      ) : (
        !me.account && !me.user.staff && <Note kind="warn">{t.shell.noAccount}</Note>
      )}
      {cellsSilent.length > 0 && path.startsWith(paths.staffStatus()) && (
        <Note kind="bad">{t.shell.cellsSilent(cellsSilent.join(', '))}</Note>
      )}
      {downNames.length > 0 && path.startsWith(paths.staffStatus()) && (
        <Note kind="bad">{t.shell.carriersDown(downNames.join(', '), number(waiting))}</Note>
      )}
      {live.data?.staff?.held && path.startsWith(`${paths.staffStatus()}/`) && (
        <Note kind="bad">
          <Link to={paths.staffStatus()} className="link">
            {t.shell.held}
          </Link>
        </Note>
      )}
      <NewVersion served={live.data?.version} path={path} />
    </div>
  );
}
