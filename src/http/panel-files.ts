// The built files of the panel. All names are read once from the folder, so a path that is not among them cannot reach
// the disk at all; unknown paths are pages of the browser's own router and get index.html. They are kept in memory (3 MB):
// pages already open go on working when a newer build takes the place of the one they came from, until this process ends.
// That is why no library does it: sirv dies of a file that has vanished, @fastify/static answers 404 for it.
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
// What scripts/compress.mjs lays beside a file, the better one first.
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const readAgainMs = 2_000;

// Style elements are made by the component library at run time; scripts only ever come from our own files. Blobs: a
// document that the page fetched and shows.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  'frame-src blob:',
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const notBuilt = `<!doctype html><html lang="tr"><meta charset="utf-8"><title>Peyk</title>
<p>Panel henüz derlenmedi: <code>npm run build</code> çalıştırın.</p>
<p lang="en">The panel is not built yet: run <code>npm run build</code>.</p></html>`;

type File = {
  type: string;
  body: Buffer;
  tag: string;
  compressed: { name: string; body: Buffer }[];
  isHashed: boolean;
};

export class PanelFiles {
  readonly #folder: string;
  #files: Map<string, File> | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Of the build that this process serves; it changes with every release. */
  get version(): string {
    const index = this.#load()?.get('index.html');
    return index ? digest(index.body) : 'unbuilt';
  }

  send(path: string, reply: FastifyReply): FastifyReply {
    const files = this.#load();
    const wanted = path.slice('/panel/'.length);
    const known = files?.get(wanted);
    // A missing file of the build is 404, so that the browser reloads instead of running a page as a script.
    const isPage = !known && !wanted.startsWith('assets/') && extname(wanted) === '';
    const file = known ?? (isPage ? files?.get('index.html') : undefined);
    secure(reply);
    if (!files) return page(reply, 503, notBuilt);
    if (!file) return page(reply, 404, '<!doctype html><meta charset="utf-8"><title>404</title><p>404</p>');
    reply.header('content-type', file.type).header('vary', 'accept-encoding');
    reply.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    reply.header('etag', file.tag);
    if (String(reply.request.headers['if-none-match'] ?? '').includes(file.tag)) return reply.code(304).send();
    const accepts = String(reply.request.headers['accept-encoding'] ?? '');
    const best = file.compressed.find(one => new RegExp(`\\b${one.name}\\b`).test(accepts));
    return best ? reply.header('content-encoding', best.name).send(best.body) : reply.send(file.body);
  }

  /** null while there is no build; looked for again every two seconds, so that a build needs no restart. */
  #load(): Map<string, File> | null {
    if (this.#files || performance.now() - this.#lookedAt < readAgainMs) return this.#files;
    if (existsSync(join(this.#folder, 'index.html'))) this.#files = readFolder(this.#folder);
    this.#lookedAt = this.#files ? this.#lookedAt : performance.now();
    return this.#files;
  }
}

function readFolder(folder: string): Map<string, File> {
  const bodies = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bodies.set(path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path));
  }
  const files = new Map<string, File>();
  for (const [name, body] of bodies) {
    if (encodings.some(one => name.endsWith(one.ending))) continue;
    files.set(name, {
      type: types[extname(name)] ?? 'application/octet-stream',
      body,
      tag: `W/"${digest(body)}"`,
      compressed: encodings.flatMap(one => {
        const found = bodies.get(name + one.ending);
        return found ? [{ name: one.name, body: found }] : [];
      }),
      isHashed: name.startsWith('assets/'),
    });
  }
  return files;
}

function digest(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12);
}

function secure(reply: FastifyReply): void {
  reply
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'geolocation=(), microphone=()');
}

function page(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', types['.html']!).header('cache-control', 'no-store').send(body);
}
