// One click that fixes the cause of a refusal, or the page where it can be fixed.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Remedy } from '../../../../src/panel-api/developers/contract.ts';
import { call } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { showFailure } from '../../ui/toast.tsx';

const addressesMax = 5;

export function RemedyButton({ remedy }: { remedy: Remedy }) {
  const save = useChange('settings.setAddresses', { done: t.apiLog.added });
  const setApi = useChange('settings.setApi', { done: t.common.saved });
  const links: Partial<Record<Remedy['kind'], [path: string, label: string]>> = {
    'api-access': [paths.apiAccess(), t.apiLog.goKey],
    smpp: [paths.smpp(), t.apiLog.goSmpp],
    balance: [paths.balance(), t.apiLog.goBalance],
    senders: [paths.senders(), t.apiLog.goSenders],
    sending: [paths.sending(), t.apiLog.goSending],
    consent: [paths.consents(), t.apiLog.goConsent],
    orders: [paths.orders(), t.apiLog.goOrders],
  };
  if (remedy.kind === 'none') return null;
  if (remedy.kind === 'enable-api') {
    return (
      <RoleButton
        need="owner"
        size="compact-sm"
        variant="default"
        loading={setApi.isPending}
        onClick={() => setApi.mutate({ enabled: true })}
      >
        {t.apiLog.enable}
      </RoleButton>
    );
  }
  if (remedy.kind === 'add-address') {
    const { address } = remedy;
    const add = async () => {
      const question = {
        title: t.apiLog.addAddress(address),
        body: t.apiLog.addAddressBody(address),
        action: t.common.add,
      };
      if ((await ask(question)) === null) return;
      const { apiAddresses } = await call('settings.read', {});
      if (apiAddresses.length >= addressesMax) showFailure(t.apiLog.listFull);
      else save.mutate({ list: 'api', addresses: [...new Set([...apiAddresses, address])] });
    };
    return (
      <RoleButton need="owner" size="compact-sm" variant="default" loading={save.isPending} onClick={() => void add()}>
        {t.apiLog.addAddress(address)}
      </RoleButton>
    );
  }
  const link = links[remedy.kind];
  if (!link) return null;
  return (
    <Button component={Link} to={link[0]} size="compact-sm" variant="default">
      {link[1]}
    </Button>
  );
}
