/** The slash commands offered in the web chat are those of the gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS as known } from '../src/pipeline/commands/table.ts';
import { COMMANDS as offered } from '../ui/src/chat/commands.ts';

test('the web chat offers every slash command of the gateway and no other', () => {
  assert.deepEqual(
    offered.map(({ name, args }) => [name, args].filter(Boolean).join(' ')).toSorted(),
    known.map(({ usage }) => usage).toSorted(),
  );
});
