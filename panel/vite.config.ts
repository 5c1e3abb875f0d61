// Builds the console into panel/dist, served at /panel/ by the program itself. Everything a first screen does not need
// (charts, calendars, the spreadsheet reader, the command palette) is imported dynamically and named here, so that the
// first load stays below 300 kB compressed and the build output shows what weighs what.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const lazyGroups: [name: string, pattern: RegExp][] = [
  ['charts', /node_modules\/(@mantine\/charts|recharts|d3-|victory-vendor|@reduxjs|immer|react-redux|es-toolkit|decimal)/],
  ['dates', /node_modules\/(@mantine\/dates|dayjs)/],
  ['spotlight', /node_modules\/@mantine\/spotlight/],
  ['qr', /node_modules\/(qrcode|dijkstrajs|encode-utf8)/],
];

export default defineConfig({
  base: '/panel/',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // No inlined assets and no module preload polyfill: both would need inline data or script in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: { codeSplitting: { groups: lazyGroups.map(([name, test]) => ({ name, test })) } },
    },
  },
  server: { port: 5173, proxy: { '/panel/api': 'http://127.0.0.1:8080', '/v1': 'http://127.0.0.1:8080' } },
});
