// The note that the server has a newer panel. It appears with the next navigation, never in the middle of work.
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { Note } from './notes.tsx';

export function NewVersion(props: { served: string | undefined; path: string }) {
  const running = useRef(useMe().version).current;
  const [shown, setShown] = useState(false);
  const { served, path } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when the path changes, not when the poll does
  useEffect(() => {
    if (served && served !== running) setShown(true);
  }, [path]);
  if (!shown) return null;
  const reload = (
    <Button size="xs" variant="default" onClick={() => window.location.reload()}>
      {t.load.reload}
    </Button>
  );
  return <Note action={reload}>{t.load.newVersion}</Note>;
}
