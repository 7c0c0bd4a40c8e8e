/**
 * Writes docs/reference/ from the schemas and tables the product runs on.
 *   node scripts/reference.mjs           writes the pages
 *   node scripts/reference.mjs --check   changes nothing; exit code 1 names the pages that would change
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root, script } from './progress.mjs';
import { accessPage } from './reference/access-page.mjs';
import { cliPage } from './reference/cli-page.mjs';
import { configPage } from './reference/config-page.mjs';
import { errorsPage } from './reference/errors-page.mjs';
import { protocolPage } from './reference/protocol-page.mjs';
import { toolsPage } from './reference/tools-page.mjs';

const PAGES = {
  'access.md': accessPage,
  'cli.md': cliPage,
  'config.md': configPage,
  'errors.md': errorsPage,
  'protocol.md': protocolPage,
  'tools.md': toolsPage,
};
const folder = join(root, 'docs/reference');

await script(async () => {
  const pages = await Promise.all(
    Object.entries(PAGES).map(async ([name, render]) => ({ name, path: join(folder, name), text: await render() })),
  );
  const drifted = pages.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  if (process.argv.includes('--check')) {
    if (drifted.length > 0)
      throw new Problem(
        `Not what the code says: docs/reference/${drifted.map((page) => page.name).join(', ')}. Run: node ` +
          'scripts/reference.mjs',
      );
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const { name, path, text } of drifted) {
    writeFileSync(path, text);
    console.log(`wrote docs/reference/${name}`);
  }
});
