// Frame of every page: its one h1, which takes the focus and is announced when the route changes, its actions, and the
// title of the browser tab, which carries the state of what is shown ("%63 · Sipariş 4711").
import { Group, Stack, Text, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from './announce.tsx';
import { tabBadge } from './tab-badge.ts';

type Props = {
  title: string;
  /** Where the title alone does not say it in a tab. */
  tabTitle?: string;
  lead?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

// The first page of a visit keeps the browser's own focus at the top.
let firstPath: string | null = null;

export function Page(props: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: state => state.location.pathname });
  // Before the announcement below, which reads it out.
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
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} style={{ minWidth: 0, flex: '1 1 260px' }}>
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {props.title}
            </Title>
            {props.badge}
          </Group>
          {props.lead && (
            <Text size="sm" c="dimmed" component="div" maw={760}>
              {props.lead}
            </Text>
          )}
        </Stack>
        {props.actions && <div className="page-actions">{props.actions}</div>}
      </Group>
      {props.children}
    </Stack>
  );
}
