/** Builds the Control UI into `dist/ui`; relative asset paths let the gateway mount it under any base path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { version } from '../package.json' with { type: 'json' };

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What the pages share is in the first load anyway: one file of it compresses better than eight.
    rolldownOptions: { output: { advancedChunks: { groups: [{ name: 'shared', test: /ui\/src\/(elements|gateway)\/|node_modules\/(lit|lit-html|lit-element|@lit)\// }] } } },
  },
});
