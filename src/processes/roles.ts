// What each kind of process runs. Imports are lazy: an API worker does not load the dispatcher and vice versa.
import type { ChildRole } from './messages.ts';
import type { Child, Running } from './running.ts';

export const roleStarters: Record<ChildRole, (child: Child) => Promise<Running>> = {
  api: async child => (await import('./api-role.ts')).startApi(child),
  dispatch: async child => (await import('./dispatch-role.ts')).startDispatchRole(child),
  smpp: async child => (await import('./smpp-role.ts')).startSmpp(child),
  background: async child => (await import('./background-role.ts')).startBackground(child),
};
