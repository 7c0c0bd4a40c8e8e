/** Builds the Control UI into `dist/ui`; relative asset paths let the gateway mount it under any base path. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { buildViewers } from './dev/build-viewers.ts';
import { version } from '../package.json' with { type: 'json' };

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [{ name: 'viewers-of-features', apply: 'build', closeBundle: buildViewers }],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Parts of a later page come all at once behind its first file; naming them ahead would cost the first load 400
    // bytes.
    modulePreload: false,
    reportCompressedSize: false,
    // All of the first load is one file, which compresses better than eight; what is fetched later is named.
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            {
              name: 'shared',
              test: /ui\/src\/((app[.-]|main|routes|elements\/(?!dialogs|confirm|trouble|markdown)|gateway\/(?!presence|older))|chat\/(?!markdown|sanitise|highlight|add-files|earlier|empty|panels|fetch-file|answer-files|outbox-list|timeline|system|commands|voice|microphone|session-(switcher|actions|menu)))|node_modules\/(lit|lit-html|lit-element|@lit)\//,
            },
          ],
        },
      },
    },
  },
});
