// Finds an SMPP user in the cell of its account.
import type { CellPart, CellParts } from '../cells/cell-parts.ts';
import { home } from '../cells/directory.ts';
import { cellNames } from '../cells/names.ts';
import type { ServerParts } from './customer-bind.ts';
import type { FindLogin } from './server.ts';
import { findSmppLogin } from './users.ts';

export function findLoginInCells(cells: CellParts<ServerParts & CellPart>): FindLogin {
  const askByName = cellNames(cells);
  const ask = async (cell: number, systemId: string) => {
    const parts = cells.of(cell);
    const user = await findSmppLogin(parts.db, systemId);
    return user && { user, parts };
  };
  return systemId =>
    cells.several ? askByName('smpp', systemId, cell => ask(cell, systemId), Boolean) : ask(home, systemId);
}
