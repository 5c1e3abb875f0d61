// The built files of the panel. Unknown paths are pages of the browser's router and get index.html.
import { extname } from 'node:path';
import type { FastifyReply } from 'fastify';
import { BuiltFiles, digestOf, lostPage, sendFile, sendPage } from './built-files.ts';

// The component library creates style elements at run time; scripts come only from our own files. Blobs: documents that
// the page fetched and shows.
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

export class PanelFiles {
  readonly #files: BuiltFiles;

  constructor(folder: string) {
    this.#files = new BuiltFiles(folder);
  }

  /** The version of the build that this process serves; it changes with every release. */
  get version(): string {
    const index = this.#files.all()?.get('index.html');
    return index ? digestOf(index.body) : 'unbuilt';
  }

  send(path: string, reply: FastifyReply): FastifyReply {
    const files = this.#files.all();
    const wanted = path.slice('/panel/'.length);
    const known = files?.get(wanted);
    // A missing file of the build is 404, so that the browser reloads instead of running a page as a script.
    const isPage = !known && !wanted.startsWith('assets/') && extname(wanted) === '';
    const file = known ?? (isPage ? files?.get('index.html') : undefined);
    secure(reply);
    if (!files) return sendPage(reply, 503, notBuilt);
    return file ? sendFile(reply, file) : sendPage(reply, 404, lostPage);
  }
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
