// The frame around every signed-in page: the menu (a drawer and a bottom bar on a phone), the strips about the whole account,
// and the dialogs that can open on any page. There is no top bar: each page has its own head.
import '../mantine-more.css';
import '../parts.css';
import '../frame.css';
import '../data.css';
import { AppShell } from '@mantine/core';
import { useDisclosure, useFocusReturn, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Fault } from '../api.ts';
import { hourMinute, number } from '../format.ts';
import { isOutage, useOnline } from '../outage.ts';
import { learnPublicUrl, paths } from '../paths.ts';
import { useRead } from '../queries.ts';
import { SessionContext, useMe } from '../session.tsx';
import { t, withTexts } from '../text/language.ts';
import { Bell } from './bell.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { ConfirmHost } from './confirm.tsx';
import { HeadTools } from './frame-context.ts';
import { isSettings } from './nav-entries.ts';
import { NewVersion } from './new-version.tsx';
import { LoadError, Note } from './notes.tsx';
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx';
import { SettingsNav, Sidebar } from './sidebar.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { ViewStrip } from './support-view.tsx';
import { useLive } from './use-live.ts';

const AcceptTexts = lazy(() => import('./accept-texts.tsx'));
const Palette = lazy(() => withTexts(['messages'], () => import('./palette.tsx')));

export default function Shell() {
  const me = useRead('session.me', {});
  const router = useRouter();
  const signedOut = me.error instanceof Fault && !isOutage(me.error) && !me.data;
  useEffect(() => {
    if (!signedOut) return;
    const donus = router.state.location.href;
    void router.navigate({ to: paths.signIn(), search: { donus }, replace: true });
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
  const narrow = useMediaQuery('(max-width: 61.9em)', false, { getInitialValueInEffect: false });
  const path = useRouterState({ select: state => state.location.pathname });
  const { account } = useMe();
  const inSettings = account !== null && isSettings(path);
  const bell = account && <Bell live={live.data} />;
  const openMenu = menu.open;
  const drawer = narrow && menuOpen;
  useFocusReturn({ opened: drawer });
  useWindowEvent('keydown', event => drawer && event.key === 'Escape' && menu.close());
  // Back and forward change the page too; the open menu would cover it.
  const closeMenu = menu.close;
  useEffect(() => {
    if (path) closeMenu();
  }, [path, closeMenu]);
  const tools = useMemo(() => (narrow ? { bell, openMenu } : null), [narrow, bell, openMenu]);
  return (
    <AppShell
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !menuOpen } }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={0}
    >
      <button type="button" className="skip" onClick={() => document.getElementById('icerik')?.focus()}>
        {t.nav.skip}
      </button>
      <AppShell.Navbar inert={narrow && !menuOpen}>
        <Sidebar
          drawer={drawer}
          live={live.data}
          bell={!narrow && bell}
          onGo={menu.close}
          onPalette={() => setPalette('open')}
          onSheet={sheet.open}
        />
      </AppShell.Navbar>
      {drawer && <button type="button" className="menu-close" aria-label={t.common.close} onClick={menu.close} />}
      <AppShell.Main id="icerik" tabIndex={-1}>
        <Strips live={live} />
        <HeadTools.Provider value={tools}>
          <div className={inSettings ? 'with-settings' : undefined}>
            {inSettings && <SettingsNav />}
            <div>
              <Suspense fallback={null}>
                <Outlet />
              </Suspense>
            </div>
          </div>
        </HeadTools.Provider>
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
  const isOnline = useOnline();
  return (
    <div className="strips">
      <ViewStrip />
      {(live.isError || !isOnline) && live.data && (
        <Note kind="warn">{t.load.offline(hourMinute(new Date(live.dataUpdatedAt)))}</Note>
      )}
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
      {/* The status page says so itself, and that sending is held. */}
      {downNames.length > 0 && path.startsWith(`${paths.staffStatus()}/`) && (
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
