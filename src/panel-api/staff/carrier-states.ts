// The state of each carrier over all cells: its set-up at home, and the binds of all cells.
import { type CarrierLine as Listed, listCarriers } from '../../carriers/carriers.ts';
import { everywhere } from '../call/cells.ts';
import type { PanelServices } from '../call/context.ts';
import type { CarrierState } from './carriers-contract.ts';

type CarrierShort = { name: string; state: CarrierState; bound: number; binds: number };

export async function carrierStates(call: PanelServices): Promise<CarrierShort[]> {
  return statesOver(await everywhere(call, listCarriers));
}

/** `lists`: of each cell, the home first. */
export function statesOver([ofHome = [], ...others]: Listed[][]): CarrierShort[] {
  return ofHome.map(one => {
    const copies = others.flatMap(list => list.filter(copy => copy.id === one.id));
    const bound = [one, ...copies].flatMap(copy => copy.links).filter(link => link.state === 'bound').length;
    return { name: one.name, state: stateWith(one, bound), bound, binds: one.binds };
  });
}

/** The home may have no binds of its own, and knows only its own. */
export function stateWith({ state, binds }: { state: string; binds: number }, bound: number): CarrierState {
  if (state === 'paused' || bound === 0) return state as CarrierState;
  return bound >= binds ? 'bound' : 'partly bound';
}
