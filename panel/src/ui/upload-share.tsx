// The progress of an upload, as a bar and in per cent. Rounded down: 100 % only when everything has been sent.
import { Progress, Stack, Text } from '@mantine/core';
import { percent } from '../format.ts';

export function UploadShare(props: { label: string; share: number }) {
  return (
    <Stack gap={4} data-testid="upload-share">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {`${props.label} · ${percent(Math.floor(props.share * 100) / 100)}`}
      </Text>
      <Progress value={props.share * 100} aria-label={props.label} />
    </Stack>
  );
}
