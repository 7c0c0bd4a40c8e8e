/** The table the build writes says what the files of the commands say, and finds their code. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { ownCommands, tableToWrite } from './all-commands.ts';
import { helpText } from './help.ts';
import { readWrittenTable } from './written-table.ts';

const found = await ownCommands();
const folder = await tempDir();
after(() => folder[Symbol.asyncDispose]());
for (const [name, text] of Object.entries(await tableToWrite())) writeFileSync(join(folder.path, name), text);

test('it is the found table, row by row', () => {
  const plain = (rows: typeof found) => JSON.parse(JSON.stringify(rows)) as unknown;
  const written = readWrittenTable(async () => [], folder.path)!;
  assert.deepEqual(plain(written), plain(found));
  assert.deepEqual(
    written.map(({ more }) => more !== undefined),
    found.map(({ more }) => more !== undefined),
  );
  for (const topic of ['', 'cron', 'config set', 'message'])
    assert.equal(helpText(topic, written), helpText(topic, found));
});

test('the file of a command is loaded when it runs, and no other', async () => {
  const asked: (string | undefined)[] = [];
  const written = readWrittenTable(async (feature) => {
    asked.push(feature);
    return found;
  }, folder.path)!;
  assert.deepEqual(asked, []);
  for (const [name, feature] of [
    ['cron list', 'cron'],
    ['status', undefined],
  ] as const)
    assert.equal(typeof (await written.find((row) => row.name === name)!.load(written)), 'function', feature ?? name);
  assert.deepEqual(asked, ['cron', undefined]);
});

test('without a build there is none', () => {
  assert.equal(
    readWrittenTable(async () => [], join(folder.path, 'nowhere')),
    undefined,
  );
});
