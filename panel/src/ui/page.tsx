// A page: the sticky head with the h1 and the actions, and the sheet below. When the route changes, the heading takes the focus
// and the title is announced. The title of the tab shows the state of the page ("%63 · Sipariş 4711").
import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { t } from '../text/language.ts';
import { announce } from './announce.tsx';
import { Mark } from './brand.tsx';
import { HeadTools } from './frame-context.ts';
import { HelpLink } from './help-link.tsx';
import { tabBadge } from './tab-badge.ts';

type Props = {
  title: string;
  /** Shown instead of the title: a shorter form of it. */
  shown?: ReactNode;
  /** For the tab of the browser, if the title is not enough there. */
  tabTitle?: string;
  lead?: ReactNode;
  badge?: ReactNode;
  /** Before the title and a slash: the list that the thing belongs to. */
  path?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

// The first page of a visit keeps the browser's own focus at the top.
let firstPath: string | null = null;

export function Page(props: Props) {
  return (
    <>
      <header className="page-head">
        <PhoneMark />
        <div className="page-title">
          {props.path && (
            <>
              <span className="page-path">{props.path}</span>
              <span className="soft" aria-hidden>
                /
              </span>
            </>
          )}
          <PageHeading title={props.title} shown={props.shown} tabTitle={props.tabTitle} />
          {props.badge}
          <HelpLink />
        </div>
        {props.actions && <div className="page-actions">{props.actions}</div>}
        <PhoneBell />
      </header>
      <div className="sheet">
        {props.lead && <div className="page-lead">{props.lead}</div>}
        {props.children}
      </div>
    </>
  );
}

export function PageHeading(props: { title: string; shown?: ReactNode; tabTitle?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: state => state.location.pathname });
  // Before the announcement below, which reads the title.
  useEffect(() => {
    document.title = `${tabBadge()}${props.tabTitle ?? props.title} · Peyk`;
  }, [props.title, props.tabTitle]);
  useEffect(() => {
    firstPath ??= path;
    if (firstPath === path) return;
    firstPath = '';
    heading.current?.focus({ preventScroll: true });
    announce(document.title);
  }, [path]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {props.shown ?? props.title}
    </h1>
  );
}

function PhoneMark() {
  const tools = useContext(HeadTools);
  if (!tools) return null;
  return (
    <>
      <span className="head-mark">
        <Mark size={26} />
      </span>
      <ActionIcon className="head-menu" size={36} aria-label={t.nav.main} onClick={tools.openMenu}>
        <IconMenu2 size={20} />
      </ActionIcon>
    </>
  );
}

function PhoneBell() {
  const tools = useContext(HeadTools);
  return tools && <span className="head-bell">{tools.bell}</span>;
}
