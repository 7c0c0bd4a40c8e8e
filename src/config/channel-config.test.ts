/** The settings of one account: parsed once for each configuration, and what makes no sense counts as absent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChannelSettings, settingsOf } from './channel-config.ts';

test('settings are remembered while their configuration is in force, each account its own', () => {
  const settings = createChannelSettings();
  const before = { desk: { name: 'Desk', accounts: { two: { name: 'Two' } } } };
  assert.equal(settings(before, 'desk', 'default'), settings(before, 'desk', 'default'));
  assert.deepEqual(
    [
      settings(before, 'desk', 'two').name,
      settings(before, 'desk', 'default').name,
      settings(before, 'other', 'default').name,
    ],
    ['Two', 'Desk', undefined],
  );
  assert.equal(settings({ desk: { name: 'New' } }, 'desk', 'default').name, 'New');
});

test('a key that makes no sense counts as absent, the others stand', () => {
  const { dmPolicy, name } = settingsOf({ desk: { dmPolicy: 'everybody', name: 'Desk' } }, 'desk', 'default');
  assert.deepEqual([dmPolicy, name], ['pairing', 'Desk']);
});
