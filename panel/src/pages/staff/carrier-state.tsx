// State of a carrier as a badge.
import type { CarrierState } from '../../../../src/panel-api/contract-staff.ts';
import { t } from '../../text/language.ts';
import { type StateIcon, Tone, type ToneName } from '../../ui/tone.tsx';

const looks: Record<CarrierState, { tone: ToneName; icon: StateIcon }> = {
  bound: { tone: 'teal', icon: 'check' },
  'partly bound': { tone: 'orange', icon: 'cut' },
  connecting: { tone: 'blue', icon: 'moving' },
  paused: { tone: 'gray', icon: 'pause' },
  down: { tone: 'red', icon: 'cut' },
};

export function CarrierStateBadge({ state }: { state: CarrierState }) {
  return <Tone {...looks[state]}>{t.carrierStates[state]}</Tone>;
}
