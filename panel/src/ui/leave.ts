// Signing out, from the menu and from the palette.
import { call } from '../api.ts';
import { paths } from '../paths.ts';
import { queryClient } from '../queries.ts';

export async function signOut(navigate: (to: { to: string }) => unknown): Promise<void> {
  await call('session.signOut', {}, { quiet: true }).catch(() => undefined);
  queryClient.clear();
  navigate({ to: paths.signIn() });
}
