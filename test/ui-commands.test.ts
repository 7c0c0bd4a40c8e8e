/** What the web chat offers after a slash is what the gateway knows, word for word. */
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
