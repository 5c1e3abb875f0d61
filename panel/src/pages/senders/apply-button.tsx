// The last line of both applications.
import { Group } from '@mantine/core';
import { t } from '../../text/language.ts';
import { RoleButton } from '../../ui/role-button.tsx';

export function ApplyButton({ isPending }: { isPending: boolean }) {
  return (
    <Group>
      <RoleButton need="owner" type="submit" loading={isPending}>
        {t.senderApply.submit}
      </RoleButton>
    </Group>
  );
}
