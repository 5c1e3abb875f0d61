// How the registry of personal data describes a table.
import type { Db } from '../db/db.ts';
import type { Eraser } from '../db/erase.ts';
import type { RetentionStep } from '../db/retention.ts';

/**
 * number: a phone number. text: what was written to or by a person. person: name, e-mail, profile. address: of a
 * network or a device. file: may contain any of them.
 */
type Kind = 'number' | 'text' | 'person' | 'address' | 'file';

/** Returns its own counts besides the number of rows. */
export type Counted = (db: Db, number: number) => Promise<{ messages: number; open: number } | { inbound: number }>;

/**
 * When rows are removed: by a step of the task `retention`, by a task of their own, or with the rows of another table;
 * or why they stay.
 */
type End =
  | RetentionStep
  | { task: string; after: string }
  | { swept: string; after: string }
  | { with: string }
  | { stays: string };

/** How a number is erased: by an eraser, with another table's eraser, or why it is kept. */
type Erasure = Eraser | Counted | { with: string } | { kept: string };

export type PersonalTable = {
  table: string;
  owner: string;
  holds: Record<string, Kind>;
  /** Other columns of text, bytes and lists: words of the program, digests, secrets. */
  besides: string;
  ends: End;
  erase: Erasure;
};

export const customer = 'a person who works with the platform, who is known by contract';
export const proof = 'proof of who did what, and of the law';
export const soon = (after: string) => ({ kept: `gone within ${after} by itself` });
