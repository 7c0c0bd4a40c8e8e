/** The program `clawdbot`: reads its command line and ends with the exit code. */
import { fileURLToPath } from 'node:url';
import type { OfferMore } from './node-host/offer.ts';
import { useCompileCache } from './platform/compile-cache.ts';

useCompileCache(fileURLToPath(new URL('..', import.meta.url)));

const [{ runCli }, { terminal }] = await Promise.all([import('./cli/cli.ts'), import('./cli/terminal.ts')]);

process.exitCode = await runCli(
  process.argv.slice(2),
  terminal({
    async runGateway(options) {
      // As built, the library is part of the product.
      if (import.meta.filename.endsWith('.ts')) await (await import('./platform/load-schemas.ts')).loadSchemas();
      return (await import('./app.ts')).runGateway(options);
    },
    async runNode(options) {
      const { featureFiles } = await import('./cli/feature-files.ts');
      const found = await featureFiles<{ readonly offer: OfferMore }>('node');
      const more = found.map(({ module }) => module.offer);
      return (await import('./node-host/run-node.ts')).runNode({ ...options, more });
    },
  }),
);
