// A list and what is chosen in it: side by side on a wide screen, otherwise a drawer over the list.
import '../pages.css';
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { t } from '../text/language.ts';
import { announce } from './announce.tsx';

type Props = {
  /** See `useWide`. */
  wide: boolean;
  title: string;
  /** Chosen by a click or a key; on a wide screen something may be shown without it. */
  opened: boolean;
  onClose: () => void;
  /** The list is the narrow side. */
  narrowList?: boolean;
  side: ReactNode;
  children: ReactNode;
};

/** Whether both sides have room beside the menu; the narrower the list, the earlier. */
export const useWide = (from: '75em' | '90em'): boolean =>
  useMediaQuery(`(min-width: ${from})`, false, { getInitialValueInEffect: false });

export function Panes({ wide, title, opened, onClose, narrowList, side, children }: Props) {
  useEffect(() => {
    if (wide && opened) announce(title);
  }, [wide, opened, title]);
  return (
    <div className={wide ? `panes ${narrowList ? 'panes-read' : ''}` : 'contents'}>
      <div className={wide ? 'pane' : 'contents'}>{children}</div>
      {wide ? (
        <aside className="pane-side" aria-label={title}>
          <h2>{title}</h2>
          {side}
        </aside>
      ) : (
        <Drawer opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.common.close }}>
          {side}
        </Drawer>
      )}
    </div>
  );
}
