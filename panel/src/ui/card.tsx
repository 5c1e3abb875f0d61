// A bordered block with a heading; the unit most pages are made of.
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  title?: ReactNode;
  hint?: ReactNode;
  actions?: ReactNode;
  /** A state beside the title, on its line also where there is little room. */
  badge?: ReactNode;
  flush?: boolean;
  children: ReactNode;
  id?: string;
};

export function Card(props: Props) {
  return (
    <section className={`panel-card ${props.flush ? 'card-flush' : ''}`} id={props.id}>
      {props.title && (
        <Group justify="space-between" align="flex-start" px="md" pt="sm" pb={props.flush ? 'sm' : 0} gap="xs">
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
        <div className="card-body" style={{ padding: '12px 16px 16px' }}>
          {props.children}
        </div>
      )}
    </section>
  );
}

/** `long`: the value is words rather than a number. */
export function Figure(props: { label: string; value: ReactNode; note?: ReactNode; long?: boolean }) {
  return (
    <div className="panel-card" style={{ padding: '12px 16px', minWidth: 0 }}>
      <Text size="sm" c="dimmed" component="div">
        {props.label}
      </Text>
      <Text
        fz={props.long ? 17 : 24}
        fw={650}
        lh={props.long ? '30px' : 1.25}
        component="div"
        className="figure-value"
        style={{ overflowWrap: 'anywhere' }}
      >
        {props.value}
      </Text>
      {props.note && (
        <Text size="xs" c="dimmed" component="div">
          {props.note}
        </Text>
      )}
    </div>
  );
}
