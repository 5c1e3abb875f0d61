// Leaving a form that was begun and not sent asks once; a sent form never asks.
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { t } from '../text/language.ts';
import { ask } from './confirm.tsx';

/** Returns what to call once the form is sent, before navigating away from it. */
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
