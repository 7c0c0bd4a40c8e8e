/**
 * Writes the table of all commands beside the code, so that `--help` reads one file in place of one for each feature.
 *   node scripts/command-table.mjs TO     the folder of the joined modules
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableToWrite } from '../src/cli/all-commands.ts';

const folder = join(process.argv[2], 'cli');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(await tableToWrite())) writeFileSync(join(folder, name), text);
