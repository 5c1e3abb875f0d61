// Finds an SMPP user in the cell of its account.
import type { CellPart, CellParts } from '../cells/cell-parts.ts';
import { CellNames } from '../cells/names.ts';
import type { ServerParts } from './customer-bind.ts';
import type { FindLogin } from './server.ts';
import { findSmppLogin } from './users.ts';

export function findLoginInCells(cells: CellParts<ServerParts & CellPart>): FindLogin {
  const names = new CellNames(cells, cells.home.db);
  const ask = async (cell: number, systemId: string) => {
    const parts = cells.of(cell);
    const user = await findSmppLogin(parts.db, systemId);
    return user && { user, parts };
  };
  return async systemId => {
    if (!cells.several) return ask(0, systemId);
    const guess = await names.find('smpp', systemId);
    const found = await ask(guess, systemId);
    if (found) return found;
    const cell = await names.search('smpp', systemId, guess);
    return cell === null ? undefined : ask(cell, systemId);
  };
}
