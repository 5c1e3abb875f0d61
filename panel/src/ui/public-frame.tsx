// The frame of pages before sign-in: one narrow column, language and appearance in the corner.
import { Anchor, Container, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { HeaderButtons } from './public-tools.tsx';

export function PublicFrame(props: { title: string; lead?: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <Container size={440} py={{ base: 'md', sm: 48 }} px="md" component="main">
      <Stack gap="lg">
        <Group justify="space-between">
          <Group gap="xs">
            <img src="/panel/icon.svg" alt="" width={28} height={28} />
            <Text fw={700} size="lg">
              Peyk
            </Text>
          </Group>
          <HeaderButtons />
        </Group>
        <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
          <Page title={props.title} lead={props.lead}>
            {props.children}
          </Page>
        </Paper>
        {props.below && (
          <Text size="sm" ta="center" component="div">
            {props.below}
          </Text>
        )}
      </Stack>
    </Container>
  );
}

export function TextLink(props: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={props.to} size="sm" underline="always">
      {props.children}
    </Anchor>
  );
}
