// Things by their numbers, as the tables name them: each leads to its page. Functions and not components, since a row on a
// phone leaves out a plain dash.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';

export function orderLink(id: number | null): ReactNode {
  if (!id) return '–';
  return (
    <Link to={paths.order(String(id))} className="link">
      {id}
    </Link>
  );
}

/** For staff. */
export function accountLink(id: number, name: string): ReactNode {
  return (
    <Link to={paths.staffAccount(String(id))} className="link">
      {name}
    </Link>
  );
}
