// Serves the files of a build. All names are read once from the folder, so an unknown path never reaches the disk. The
// files are kept in memory (the panel's are 3 MB), so that open pages keep working until this process ends, even if a
// newer build replaces the files. No library does this: with a file that has vanished sirv ends the process, and
// @fastify/static answers 404.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
// Compressed copies by scripts/compress.mjs, the better encoding first.
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const readAgainMs = 2_000;

type BuiltFile = {
  type: string;
  body: Buffer;
  tag: string;
  compressed: { name: string; body: Buffer }[];
  isHashed: boolean;
};

export class BuiltFiles {
  readonly #folder: string;
  #files: Map<string, BuiltFile> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** null while there is no build; checked every two seconds, so that a build needs no restart. */
  all(): Map<string, BuiltFile> | null {
    if (this.#files || performance.now() - this.#lookedAt < readAgainMs) return this.#files;
    if (existsSync(join(this.#folder, 'index.html'))) this.#files = readFolder(this.#folder);
    this.#lookedAt = this.#files ? this.#lookedAt : performance.now();
    return this.#files;
  }
}

/** Names that contain a hash of their content (assets/) are cached by browsers for good; all others are revalidated. */
export function sendFile(reply: FastifyReply, file: BuiltFile, status = 200): FastifyReply {
  reply.header('content-type', file.type).header('vary', 'accept-encoding');
  reply.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  reply.header('etag', file.tag);
  const { headers } = reply.request;
  if (status === 200 && String(headers['if-none-match'] ?? '').includes(file.tag)) return reply.code(304).send();
  const accepts = String(headers['accept-encoding'] ?? '');
  const best = file.compressed.find(one => new RegExp(`\\b${one.name}\\b`).test(accepts));
  reply.code(status);
  return best ? reply.header('content-encoding', best.name).send(best.body) : reply.send(file.body);
}

export function sendPage(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', types['.html']!).header('cache-control', 'no-store').send(body);
}

export const lostPage = '<!doctype html><meta charset="utf-8"><title>404</title><p>404</p>';

function readFolder(folder: string): Map<string, BuiltFile> {
  const bodies = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bodies.set(path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path));
  }
  const files = new Map<string, BuiltFile>();
  for (const [name, body] of bodies) {
    if (encodings.some(one => name.endsWith(one.ending))) continue;
    files.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      body,
      tag: `W/"${digestOf(body)}"`,
      compressed: encodings.flatMap(one => {
        const found = bodies.get(name + one.ending);
        return found ? [{ name: one.name, body: found }] : [];
      }),
      isHashed: name.startsWith('assets/'),
    });
  }
  return files;
}

export function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12);
}
