// Key and hash to an account, in whichever cell it lives.
import type { Authenticate, AuthResult } from '../accounts/authenticate.ts';
import { isKeyForm } from '../accounts/credentials.ts';
import type { CellPart, CellParts } from './cell-parts.ts';
import { home } from './directory.ts';
import { cellNames } from './names.ts';

type Rest = Parameters<Authenticate> extends [unknown, ...infer Others] ? Others : never;
type Part = CellPart & { authenticate: Authenticate };

export function createCellsAuthenticate(cells: CellParts<Part>): Authenticate {
  const askByName = cellNames(cells);
  const search = async (key: string, ...[hash, address, mayBeOld, way = 'key']: Rest): Promise<AuthResult> => {
    const ask = async (cell: number) =>
      located(await cells.of(cell).authenticate(key, hash, address, mayBeOld, way), cell);
    return askByName(way, key, ask, result => result.ok || result.cause !== 'unknown-key');
  };
  return (key, ...rest) =>
    cells.several && isKeyForm(key) ? search(key, ...rest) : cells.home.authenticate(key, ...rest);
}

function located(result: AuthResult, cell: number): AuthResult {
  if (cell === home) return result;
  return result.ok ? { ...result, account: { ...result.account, cell } } : { ...result, cell };
}
