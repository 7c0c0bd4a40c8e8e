/** The door of the product: command line in, exit code out. */
import { runCli } from './cli/cli.ts';
import { terminal } from './cli/terminal.ts';

process.exitCode = await runCli(
  process.argv.slice(2),
  terminal({
    async runGateway(options) {
      const { loadSchemas } = await import('./platform/load-schemas.ts');
      await loadSchemas();
      return (await import('./app.ts')).runGateway(options);
    },
  }),
);
