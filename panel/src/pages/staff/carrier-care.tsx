// Reconnecting and removing a carrier. A refusal says what to do; some can be overridden.
import { Button } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { CarrierLine } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { faultOf, sentenceOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { showFailure } from '../../ui/toast.tsx';

/** Refusals that the operator may override. */
const mayInsist = new Set(['carrier-receipts', 'carrier-waiting']);

export function CarrierCare({ carrier }: { carrier: CarrierLine }) {
  const navigate = useNavigate();
  const reconnect = useChange('staff.reconnectCarrier', { done: t.carrierCare.reconnected });
  const remove = useChange('staff.removeCarrier', {
    ownErrors: true,
    done: t.carrierCare.removed,
    onDone: () => void navigate({ to: paths.staffCarriers() }),
  });
  const drop = async (force: boolean, body: string) => {
    const question = { title: t.carrierCare.removeTitle(carrier.name), body, danger: true, reason: t.common.reason };
    const reason = await ask({ ...question, action: force ? t.carrierCare.insist : t.carrierCare.remove });
    if (reason === null) return;
    const onError = (error: unknown) =>
      !force && mayInsist.has(faultOf(error)?.code ?? '')
        ? void drop(true, sentenceOf(error))
        : showFailure(sentenceOf(error));
    remove.mutate({ name: carrier.name, force, reason }, { onError });
  };
  return (
    <>
      {!carrier.paused && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={reconnect.isPending}
          onClick={() => reconnect.mutate({ name: carrier.name })}
        >
          {t.carrierCare.reconnect}
        </Button>
      )}
      <Button
        variant="default"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isPending}
        onClick={() => void drop(false, t.carrierCare.removeBody)}
      >
        {t.carrierCare.remove}
      </Button>
    </>
  );
}
