// When to be told that credit runs low: in the bell, and on the owner's phone if wished.
import { Group, NumberInput, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

const thresholdMax = 999_999_999;

export function LowBalanceCard() {
  const settings = useRead('settings.read', {}).data;
  const mayOwn = useMay('owner');
  const save = useChange('settings.setLowBalance', { done: t.common.saved });
  const [typed, setTyped] = useState<number | string | null>(null);
  const [wished, setWished] = useState<boolean | null>(null);
  if (!settings) return null;
  const threshold = typed ?? settings.lowBalance ?? '';
  const sms = wished ?? settings.lowBalanceSms;
  return (
    <Card title={t.balance.lowTitle} hint={t.balance.lowHint}>
      <Stack gap="sm">
        <Group align="flex-end">
          <NumberInput
            label={t.balance.lowThreshold}
            placeholder={t.common.off}
            value={threshold}
            onChange={setTyped}
            readOnly={!mayOwn}
            min={1}
            max={thresholdMax}
            allowDecimal={false}
            allowNegative={false}
            w={180}
          />
          <RoleButton
            need="owner"
            variant="default"
            loading={save.isPending}
            onClick={() => save.mutate({ threshold: threshold === '' ? null : Number(threshold), sms })}
          >
            {t.common.save}
          </RoleButton>
        </Group>
        <Switch
          label={t.balance.lowSms}
          checked={sms}
          disabled={!mayOwn}
          onChange={event => setWished(event.currentTarget.checked)}
        />
      </Stack>
    </Card>
  );
}
