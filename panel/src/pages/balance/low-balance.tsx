// The alert for low credit: in the bell, and by SMS to the owner if chosen.
import '../../pages.css';
import { NumberInput, Switch } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../queries.ts';
import { useMay } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { ReadState } from '../../ui/read-state.tsx';
import { RoleButton } from '../../ui/role-button.tsx';

const thresholdMax = 999_999_999;

export function LowBalanceCard() {
  const read = useRead('settings.read', {});
  const settings = read.data;
  const mayOwn = useMay('owner');
  const save = useChange('settings.setLowBalance', { done: t.common.saved });
  const [typed, setTyped] = useState<number | string | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (!settings) return <ReadState of={read} height={64} />;
  const threshold = typed ?? settings.lowBalance ?? '';
  const sms = chosen ?? settings.lowBalanceSms;
  return (
    <section className="panel-card section setting" id="dusuk-bakiye">
      <div>
        <h2>{t.balance.lowTitle}</h2>
        <span className="second">{t.balance.lowHint}</span>
      </div>
      <div className="setting-control low-balance">
        <Switch
          label={t.balance.lowSms}
          checked={sms}
          disabled={!mayOwn}
          onChange={event => setChosen(event.currentTarget.checked)}
        />
        <NumberInput
          aria-label={t.balance.lowThreshold}
          placeholder={t.common.off}
          value={threshold}
          onChange={setTyped}
          readOnly={!mayOwn}
          min={1}
          max={thresholdMax}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          w={120}
        />
        <RoleButton
          need="owner"
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ threshold: threshold === '' ? null : Number(threshold), sms })}
        >
          {t.common.save}
        </RoleButton>
      </div>
    </section>
  );
}
