/**
 * Records what each vendor's client sends for every tool of the product: src/agent/schema/recorded/<tool>.json.
 *   node scripts/record-tools.mjs     after a tool's description or parameters changed; look at the difference
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productTools, recordingText, recordTools } from '../src/testing/record-tools.ts';
import { root, script } from './progress.mjs';

const folder = join(root, 'src/agent/schema/recorded');

await script(async () => {
  const recordings = await recordTools(await productTools());
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder))
    if (!Object.hasOwn(recordings, file.replace(/\.json$/, ''))) rmSync(join(folder, file));
  for (const [name, recording] of Object.entries(recordings))
    writeFileSync(join(folder, `${name}.json`), recordingText(recording));
  console.log(`recorded ${Object.keys(recordings).length} tools`);
});
