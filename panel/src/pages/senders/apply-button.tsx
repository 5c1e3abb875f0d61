// The last line of both applications.
import { Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { t } from '../../text/language.ts';
import { RoleButton } from '../../ui/role-button.tsx';

type Props = { need: ComponentProps<typeof RoleButton>['need']; isPending: boolean };

export function ApplyButton({ need, isPending }: Props) {
  return (
    <Group>
      <RoleButton need={need} type="submit" loading={isPending}>
        {t.senderApply.submit}
      </RoleButton>
    </Group>
  );
}
