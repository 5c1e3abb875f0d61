// The person behind the demo account, so that a newcomer can open the panel at once. The password is known only now.
import { randomBytes } from 'node:crypto';
import { type Db, transaction } from '../db/db.ts';
import { addMember } from './memberships.ts';
import { hashPassword } from './passwords.ts';
import { createUser } from './users.ts';

const demoEmail = 'demo@peyk.local';
// Plainly fictional, and delivered by the simulator.
const demoMobile = 905_550_000_000;

export async function createDemoOwner(db: Db, accountId: number): Promise<{ email: string; password: string }> {
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  await transaction(db, async tx => {
    const id = await createUser(tx, {
      email: demoEmail,
      name: 'Demo',
      mobile: demoMobile,
      passwordHash,
      language: 'tr',
    });
    await addMember(tx, accountId, id, 'owner');
  });
  return { email: demoEmail, password };
}
