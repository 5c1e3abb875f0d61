// State of a carrier as a badge; one that is refusing with "too fast" shows as throttling.
import type { CarrierState } from '../../../../src/panel-api/staff/carriers-contract.ts';
import { t } from '../../text/language.ts';
import { type StateIcon, Tone, type ToneName } from '../../ui/tone.tsx';

const looks: Record<CarrierState | 'throttling', { tone: ToneName; icon: StateIcon }> = {
  bound: { tone: 'teal', icon: 'check' },
  throttling: { tone: 'orange', icon: 'slow' },
  'partly bound': { tone: 'orange', icon: 'cut' },
  connecting: { tone: 'blue', icon: 'moving' },
  paused: { tone: 'gray', icon: 'pause' },
  down: { tone: 'red', icon: 'cut' },
};

export function CarrierStateBadge({ state, throttling = false }: { state: CarrierState; throttling?: boolean }) {
  const shown = throttling && state === 'bound' ? 'throttling' : state;
  return <Tone {...looks[shown]}>{t.carrierStates[shown]}</Tone>;
}
