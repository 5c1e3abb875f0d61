// Asks once before leaving a form with unsaved changes; never after it was submitted.
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { t } from '../text/language.ts';
import { ask } from './confirm.tsx';

/** Returns a function to call once the form is submitted, before navigating away. */
export function useUnsaved(dirty: boolean): () => void {
  const released = useRef(false);
  useBlocker({
    shouldBlockFn: async () => {
      if (!dirty || released.current) return false;
      const question = {
        title: t.confirm.leave,
        body: t.confirm.leaveBody,
        action: t.confirm.leaveAction,
        danger: true,
      };
      return (await ask(question)) === null;
    },
    enableBeforeUnload: () => dirty && !released.current,
  });
  return () => {
    released.current = true;
  };
}
