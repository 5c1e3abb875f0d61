// Builds the console into panel/dist, served at /panel/ by the program itself. Pages, charts, calendars, the spreadsheet
// reader, the QR maker and the command palette are imported dynamically; first loads stay below their bounds.

import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstLoad } from './first-load.ts';

// What six or more pages share goes into one chunk; without it there would be 215 files.
const sharedByMin = 6;
// What the pages before sign-in need goes into a chunk of its own; what six or more of the others share into another.
const base = new RegExp(
  [
    '/node_modules/(@mantine/store|fast-deep-equal|klona|react|react-dom|scheduler|use-sync-external-store|@tanstack/(react-query|query-core|react-router|router-core|history|react-store|store))/',
    '/@mantine/core/esm/core/',
    '/@mantine/core/esm/components/(Anchor|ActionIcon|Button|CloseButton|Input|InputBase|Loader|PasswordInput|Stack|Badge|Group|Text|TextInput|Transition|UnstyledButton|VisuallyHidden)/',
    '/@mantine/hooks/esm/(use-id|use-uncontrolled|use-merged-ref|use-isomorphic-effect|use-did-update|use-reduced-motion|use-media-query|use-color-scheme|use-isomorphic-effect)/',
    '/src/(api|outage|paths|preferences|queries|session|format)\\.tsx?$',
    '/src/text/language\\.ts$',
    '/@tabler/icons-react/dist/esm/(createReactComponent|defaultAttributes|icons/Icon(Help|Refresh|Menu2|Sun|Moon|Language|AlertTriangle|Check)\\.)',
    '/panel/src/theme\\.ts$',
    'vite/preload-helper|/node_modules/clsx/|/@mantine/notifications/esm/notifications.store|/@mantine/hooks/esm/utils/',
    '/src/forms/focus-fault\\.ts$|/src/panel-api/contract/facts\\.ts$|/src/text/rate\\.ts$|/panel/src/(order-progress|ui/search-state)\\.ts$',
    '/src/ui/(announce|brand|glyph|help-link|help-sections|notes|page|frame-context|public-frame|public-tools|tab-badge|toast)\\.tsx?$',
  ].join('|'),
);
const loads = [
  { name: 'sign-in', modules: [/\/pages\/entry\/sign-in\.tsx$/], bytesMax: 179_000 },
  {
    name: 'overview',
    modules: [/\/text\/tr\/(frame|messages)\.ts$/, /\/ui\/shell\.tsx$/, /\/pages\/overview\/overview\.tsx$/],
    bytesMax: 316_000,
  },
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
          groups: [
            { name: 'base', test: base, priority: 2, includeDependenciesRecursively: false },
            { name: 'frame', minShareCount: sharedByMin, priority: 1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/panel/api': program, '/v1': program } },
});
