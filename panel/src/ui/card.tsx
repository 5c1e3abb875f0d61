// A section of a page: a heading with its actions, separated by space and a hairline. Framed only if it can be chosen or moved.
import '../pages.css';
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title?: ReactNode;
  hint?: ReactNode;
  actions?: ReactNode;
  /** A state beside the title; it stays on the line of the title on a narrow screen. */
  badge?: ReactNode;
  flush?: boolean;
  framed?: boolean;
  children: ReactNode;
  id?: string;
};

export function Card(props: Props) {
  return (
    <section className={`panel-card ${props.framed ? '' : 'section'} ${props.flush ? 'card-flush' : ''}`} id={props.id}>
      {props.title && (
        <Group className="section-head" justify="space-between" align="flex-start" gap="sm">
          <Stack gap={0} style={{ flex: props.badge ? '1 1 0' : '1 1 240px', minWidth: 0 }}>
            <Title order={2}>{props.title}</Title>
            {props.hint && (
              <Text size="sm" c="dimmed" component="div">
                {props.hint}
              </Text>
            )}
          </Stack>
          {props.badge}
          {props.actions && <div className="page-actions">{props.actions}</div>}
        </Group>
      )}
      {props.flush ? (
        <section
          className="card-body"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
          tabIndex={0}
        >
          {props.children}
        </section>
      ) : (
        <div className="card-body">{props.children}</div>
      )}
    </section>
  );
}
