// Cancelling a scheduled order: a countdown on the button's side, which turns into the reason once it is too late. The
// server decides races; a lost one is said in words.
import { Text } from '@mantine/core';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { faultOf, sentenceOf } from '../../api.ts';
import { duration, number } from '../../format.ts';
import { useChange } from '../../queries.ts';
import { t } from '../../text/language.ts';
import { ask } from '../../ui/confirm.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useNow } from '../../ui/time.tsx';
import { showFailure } from '../../ui/toast.tsx';

const tickMs = 1_000;

export function CancelOrder({ order }: { order: Pick<OutputOf<'orders.read'>, 'id' | 'state' | 'sendAt' | 'total'> }) {
  const now = useNow(tickMs);
  const cancel = useChange('orders.cancel', { done: t.order.cancelled, ownErrors: true });
  if (order.state !== 'scheduled') return null;
  const leftMs = new Date(order.sendAt).getTime() - now;
  const start = async () => {
    const id = String(order.id);
    const question = {
      title: t.order.cancelTitle(id),
      body: t.order.cancelBody(number(order.total)),
      action: t.order.cancel,
      danger: true,
    };
    if ((await ask(question)) === null) return;
    cancel.mutate(
      { id: order.id },
      { onError: error => showFailure(faultOf(error)?.code === '455' ? t.order.lostRace : sentenceOf(error)) },
    );
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {leftMs > 0 ? t.order.startsIn(duration(leftMs)) : t.order.tooLate}
      </Text>
      <RoleButton
        need="sender"
        variant="default"
        color="red"
        reason={leftMs <= 0 ? t.order.tooLate : null}
        loading={cancel.isPending}
        onClick={() => void start()}
      >
        {t.order.cancel}
      </RoleButton>
    </>
  );
}
