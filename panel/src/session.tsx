// Who is signed in, to which account, in which role. The server enforces roles on every call; here they only decide
// what is enabled, so that nobody is surprised by a refusal.
import { createContext, useContext } from 'react';
import type { OutputOf } from '../../src/panel-api/contract/contract.ts';
import type { MemberRole } from '../../src/panel-api/contract/facts.ts';

export type Me = OutputOf<'session.me'>;

export const SessionContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(SessionContext);
  if (!me) throw new Error('no session around this component');
  return me;
}

const ranks: Record<MemberRole, number> = { viewer: 0, sender: 1, owner: 2 };

export function useMay(needed: MemberRole): boolean {
  const role = useMe().account?.role;
  return role !== undefined && ranks[role] >= ranks[needed];
}
