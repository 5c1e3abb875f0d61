// A person's number is erased on request (KVKK): out of ended messages and out of what came from it, of every account. Entries of
// blacklists and consent registers stay: without them a refusal could not be honoured.
import { type Db, rows, sql } from '../db/db.ts';
import { eraseInbound } from '../inbound/erase.ts';
import { eraseMessages } from '../orders/erase.ts';

/** `open`: messages still on their way, which keep it until they have ended. */
export type Erased = { messages: number; open: number; inbound: number };

const accountsSql = sql<{ id: number }>('erase accounts')`select id from accounts order by id`;

export async function eraseNumber(db: Db, number: number): Promise<Erased> {
  const done: Erased = { messages: 0, open: 0, inbound: 0 };
  for (const { id } of await rows(db, accountsSql)) {
    const { messages, open } = await eraseMessages(db, id, number);
    done.messages += messages;
    done.open += open;
    done.inbound += await eraseInbound(db, id, number);
  }
  return done;
}
