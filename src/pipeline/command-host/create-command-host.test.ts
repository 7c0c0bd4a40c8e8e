// Where the settings of an account stand in the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountPath } from './create-command-host.ts';
import { promptParts } from './context-report.ts';
import { senderEntry } from './sender-entry.ts';

test('an account with a section of its own is changed there', () => {
  const channels = { telegram: { accounts: { Work: {} } }, slack: {} } as unknown as Parameters<typeof accountPath>[0];
  assert.deepEqual(
    [
      accountPath(channels, 'telegram', 'work'),
      accountPath(channels, 'telegram', 'default'),
      accountPath(channels, 'slack', 'default'),
      accountPath(channels, 'none', 'default'),
    ],
    ['channels.telegram.accounts.Work', 'channels.telegram', 'channels.slack', 'channels.none'],
  );
});

test('an id is what its channel takes for one', () => {
  const plugin = {
    id: 'desk',
    senderEntry: (entry: string) => (/^\d+$/.test(entry) ? entry : undefined),
  } as unknown as NonNullable<Parameters<typeof senderEntry>[0]>;
  assert.deepEqual(
    ['1', 'ann', '@ann', '*', 'a b'].map((entry) => senderEntry(plugin, entry)),
    ['1', undefined, undefined, undefined, undefined],
  );
  assert.equal(senderEntry(undefined, '1'), undefined);
});

test('the prompt in parts: what grows by itself, the rest as one', () => {
  const parts = promptParts(
    'You are one.\n\n## Skills\n- a: b\n\n## Workspace\nhere\n\n# Project Context\nfollows\n\n<file ' +
      'name="AGENTS.md">\nrules\n</file>',
  );
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['System prompt', 'Skills', 'AGENTS.md'],
  );
});
