// A step of a sequence is plain data (so that a failed one can be kept as a file); its kind says how such data are made, how the
// step is done on the running program, and what the world makes of the answer.
import type fc from 'fast-check';
import type { Rig } from './rig.ts';
import type { World } from './world.ts';

export type Given = Record<string, unknown>;
export type Step = { kind: string; given: Given };

/** `Seen`: what the program did, as far as anybody outside can tell. */
type KindOf<G extends object, Seen> = {
  /** How often it is chosen, against the others. */
  weight: number;
  given: fc.Arbitrary<G>;
  /** Names what the step is about (an order by its id), where that depends on the world before it. */
  resolve?(world: World, given: G): G;
  run(rig: Rig, world: World, given: G): Promise<Seen>;
  /** Throws unless this is what had to be seen, and brings the world to where the program must be now. */
  judge(world: World, given: G, seen: Seen): void;
  /** Seen by one moment of the program, so that several at once must look as if done one after another. */
  isAtomic: boolean;
};

export type Kind = KindOf<Given, unknown>;

export function kind<G extends object, Seen>(one: KindOf<G, Seen>): Kind {
  return one as unknown as Kind;
}
