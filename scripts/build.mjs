/**
 * Builds what is published, whether or not it is stale.
 *   node scripts/build.mjs [gateway] [ui]     both without an argument
 */
import { make, products } from './compile.mjs';
import { Problem, script } from './progress.mjs';

await script(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !products.includes(name));
  if (unknown) throw new Problem(`There is no product "${unknown}"; there are ${products.join(' and ')}.`);
  for (const product of chosen.length > 0 ? chosen : products) await make(product, process.execPath);
});
