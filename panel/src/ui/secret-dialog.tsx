// A secret that is shown once. The dialog ignores Esc and clicks outside: only "Kaydettim" closes it, which removes the secret
// from the page.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { t } from '../text/language.ts';
import { CopyButton } from './copy.tsx';

type Props = { title: string; body: string; secrets: [label: string, value: string][] | null; onClose: () => void };

export function SecretDialog(props: Props) {
  return (
    <Modal
      opened={props.secrets !== null}
      onClose={() => undefined}
      title={props.title}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack gap="md">
        <Text size="sm">{props.body}</Text>
        {props.secrets?.map(([label, value]) => (
          <div key={label}>
            <Text size="sm" fw="var(--fw-strong)">
              {label}
            </Text>
            <Group gap={4} wrap="nowrap" align="flex-start">
              <code className="mono" style={{ overflowWrap: 'anywhere' }} data-secret={label}>
                {value}
              </code>
              <CopyButton value={value} label={`${t.copy.label}: ${label}`} />
            </Group>
          </div>
        ))}
        <Group justify="flex-end">
          <Button onClick={props.onClose} data-autofocus>
            {t.apiAccess.saved}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
