// Theme, server state and router around every page. A change of language renders the whole tree again; the state of a view is in
// its address, so only the scroll position is lost.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { focusFaultsOnSubmit } from './forms/focus-fault.ts';
import { preferenceKeys } from './preferences.ts';
import { queryClient } from './queries.ts';
import { router } from './routes.tsx';
import { languageCode, onLanguage } from './text/language.ts';
import { cssVariables, theme } from './theme.ts';
import { Announcer } from './ui/announce.tsx';

// Not part of the first paint; messages before it is loaded wait in its store.
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

focusFaultsOnSubmit();

const schemeManager = localStorageColorSchemeManager({ key: preferenceKeys.scheme });

export function App() {
  const language = useSyncExternalStore(onLanguage, languageCode);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={null}>
          <Notifications position="bottom-right" limit={4} />
        </Suspense>
        <Announcer />
        <RouterProvider key={language} router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
