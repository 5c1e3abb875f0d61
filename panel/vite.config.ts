// Builds the console into panel/dist, served at /panel/ by the program itself. Pages, charts, calendars, the spreadsheet
// reader, the QR maker and the command palette are imported dynamically; first loads stay below their bounds.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoad } from './first-load.ts';

// What six or more pages share goes into one chunk. Measured, gzip: 17 files and 278 kB for the sign-in page, 22 and
// 296 kB for the largest one; without the group 62 to 86 files and up to 312 kB.
const sharedByMin = 6;
const loads = [
  { name: 'sign-in', modules: [/\/pages\/entry\/sign-in\.tsx$/], bytesMax: 330_000 },
  { name: 'overview', modules: [/\/ui\/shell\.tsx$/, /\/pages\/overview\/overview\.tsx$/], bytesMax: 330_000 },
];

// While developing: where the program itself runs.
const program = process.env['PEYK_ADDRESS'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/panel/',
  plugins: [react(), firstLoad(loads, join(import.meta.dirname, 'public', 'assets'))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // No inlined assets and no module preload polyfill: both would need inline data or script in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // What is built into the pages is given away with them, and their licences ask to come along.
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'frame', minShareCount: sharedByMin, includeDependenciesRecursively: false }],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/panel/api': program, '/v1': program } },
});
