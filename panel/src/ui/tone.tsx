// A state as icon, word and colour, so that colour is never the only difference. The tooltip has the code of the API.
import { Tooltip } from '@mantine/core';
import {
  IconArrowUpRight,
  IconBan,
  IconCalendar,
  IconCheck,
  IconClock,
  IconFilter,
  IconFlag,
  IconGauge,
  IconLoader,
  IconPlayerPause,
  IconPlugConnectedX,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';

export type ToneName = 'gray' | 'outline' | 'blue' | 'teal' | 'red' | 'violet' | 'orange';

const stateIcons = {
  clock: IconClock,
  arrow: IconArrowUpRight,
  check: IconCheck,
  cross: IconX,
  funnel: IconFilter,
  calendar: IconCalendar,
  moving: IconLoader,
  flag: IconFlag,
  slash: IconBan,
  pause: IconPlayerPause,
  cut: IconPlugConnectedX,
  slow: IconGauge,
} as const;
export type StateIcon = keyof typeof stateIcons;

export function Tone(props: { tone: ToneName; icon?: StateIcon; hint?: string; children: ReactNode }) {
  const Icon = props.icon ? stateIcons[props.icon] : null;
  const badge = (
    <span className={`tone tone-${props.tone}`}>
      {Icon && <Icon size={13} stroke={2.2} aria-hidden />}
      {props.children}
    </span>
  );
  return props.hint ? <Tooltip label={props.hint}>{badge}</Tooltip> : badge;
}
