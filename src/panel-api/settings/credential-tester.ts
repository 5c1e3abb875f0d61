// Explains to an account's owner what is wrong with a key and hash, distinguishing the four causes of 401. Only for keys of the
// own account, so that it does not reveal others' keys.
import { timingSafeEqual } from 'node:crypto';
import type { Account } from '../../accounts/account.ts';
import { addressAllowed } from '../../accounts/address.ts';
import { digestOfHash, hashOf } from '../../accounts/credentials.ts';
import { type Queryable, row, sql } from '../../db/db.ts';
import type { CredentialVerdict } from './contract.ts';

const findSql = sql<{ hashDigest: Buffer; ended: boolean }>('panel key of account')`
  select hash_digest as "hashDigest", coalesce(disabled_at <= now(), false) as ended from credentials
  where key = $1 and account_id = $2`;

const verdicts: Record<CredentialVerdict['verdict'], { tr: string; en: string }> = {
  right: { tr: 'Anahtar ve hash doğru.', en: 'Key and hash are right.' },
  blanks: {
    tr: 'Başında ya da sonunda boşluk var; silince doğru.',
    en: 'There is a blank at an end; right without it.',
  },
  computed: {
    tr: 'Hash hesaplanmış görünüyor; panelde verilen hash olduğu gibi kullanılır.',
    en: 'The hash looks computed; the one issued here is used as it is.',
  },
  secret: {
    tr: 'Bu hash değil, gizli anahtar: yalnız hash’i kendisi hesaplayan istemcilere verilir.',
    en: 'This is not the hash but the secret, which is only for clients that compute the hash themselves.',
  },
  'old-key': { tr: 'Bu anahtar yenilendi; güncel olanı kullanın.', en: 'This key was rotated; use the current one.' },
  'wrong-hash': { tr: 'Hash bu anahtara ait değil.', en: 'The hash does not belong to this key.' },
  'foreign-key': { tr: 'Bu anahtar bu hesaba ait değil.', en: 'This key is not one of this account.' },
  'right-but-off': {
    tr: 'Anahtar ve hash doğru, ama API kullanımı kapalı.',
    en: 'Key and hash are right, but API use is switched off.',
  },
  'right-but-address': {
    tr: 'Anahtar ve hash doğru; bu tarayıcının adresi API listesinde değil.',
    en: 'Key and hash are right; the address of this browser is not on the API list.',
  },
};

type Given = { key: string; hash: string; address: string };

export async function judgeCredentials(db: Queryable, account: Account, given: Given): Promise<CredentialVerdict> {
  const verdict = await judge(db, account, given);
  return { verdict, ...verdicts[verdict] };
}

async function judge(
  db: Queryable,
  account: Account,
  { key, hash, address }: Given,
): Promise<CredentialVerdict['verdict']> {
  const known = await row(db, findSql, [key.trim().slice(0, 128), account.id]);
  if (!known) return 'foreign-key';
  const matches = (text: string) => timingSafeEqual(digestOfHash(text), known.hashDigest);
  const hasBlanks = key !== key.trim() || hash !== hash.trim();
  if (matches(hashOf(hash.trim(), key.trim()))) return 'secret';
  if (!matches(hash.trim())) return looksComputed(hash.trim()) ? 'computed' : 'wrong-hash';
  if (known.ended) return 'old-key';
  if (hasBlanks) return 'blanks';
  if (!account.apiEnabled) return 'right-but-off';
  return addressAllowed(account.apiIps, address) ? 'right' : 'right-but-address';
}

/** The forms of the usual digests (MD5, SHA-1, SHA-512, bcrypt, base 64 of one); ours are 64 hex digits like SHA-256. */
function looksComputed(hash: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(hash) || /^\$2|^\$argon|={1,2}$/.test(hash);
}
