// Links from ids in tables to their pages. Functions and not components, because rows on a phone leave out a plain dash.
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
