// Reads the last backup as a restore would: every piece against its checksum, the archive to its end, the log without a gap.
import { NotRestorable, planRestores } from './choose.ts';
import { Damaged, type Store } from './store.ts';
import { readLogPart, unfolded } from './unpack.ts';
import { TarReader } from './untar.ts';

export type Verified = { ok: boolean; wrong: string[]; files: number; segments: number; from: string; to: string };

export async function verify(store: Store): Promise<Verified> {
  const seen: Verified = { ok: false, wrong: [], files: 0, segments: 0, from: '', to: '' };
  try {
    const { plans, damaged } = await planRestores(store, null);
    seen.wrong.push(...damaged);
    const [plan] = plans;
    seen.from = plan.base.finishedAt;
    seen.to = plan.reach?.at ?? seen.from;
    const archive = new TarReader(async () => null);
    for await (const piece of unfolded(store, plan.base.parts)) await archive.add(piece);
    archive.end();
    seen.files = archive.files;
    for (const part of plan.log) {
      await readLogPart(store, part);
      seen.segments++;
    }
  } catch (error) {
    // A target that does not answer says nothing about what it holds.
    if (!(error instanceof NotRestorable || error instanceof Damaged)) throw error;
    seen.wrong.push(error instanceof NotRestorable ? error.message : `${error.message} in ${store.place}`);
  }
  return { ...seen, ok: seen.wrong.length === 0 };
}
