import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeSchema } from '../../config/understanding-config.ts';
import { present } from '../../core/present.ts';
import { normaliseChatType, scopeVerdict, type ScopePlace } from './scope.ts';

const place: ScopePlace = { channel: 'telegram', chatType: 'direct', sessionKey: 'agent:main:main' };
const verdict = (scope: unknown, at: Partial<ScopePlace> = {}) =>
  scopeVerdict(scope === undefined ? undefined : scopeSchema.parse(scope), { ...place, ...at });
const rule = (action: string, match?: object) => present({ action, match });

test('T46 without a scope, and without a rule that matches, everything is allowed', () => {
  assert.deepEqual(verdict(undefined), { action: 'allow' });
  assert.deepEqual(verdict({ rules: [rule('deny', { channel: 'discord' })] }), { action: 'allow' });
  assert.deepEqual(verdict({ default: 'deny', rules: [] }), { action: 'deny' });
});

test('T46 the first rule that matches in all its fields decides', () => {
  const rules = [
    rule('deny', { channel: 'Discord ' }),
    rule('allow', { channel: 'telegram', chatType: 'direct', keyPrefix: 'Agent:MAIN:' }),
    rule('deny'),
  ];
  assert.deepEqual(verdict({ rules }), { action: 'allow', rule: 1 });
  assert.deepEqual(verdict({ rules }, { sessionKey: 'agent:work:main' }), { action: 'deny', rule: 2 });
  assert.deepEqual(verdict({ rules }, { channel: 'DISCORD' }), { action: 'deny', rule: 0 });
  assert.deepEqual(
    verdict({ rules: [rule('deny')] }),
    { action: 'deny', rule: 0 },
    'a rule without a match holds everywhere',
  );
  assert.deepEqual(verdict({ default: 'deny', rules: [rule('allow', { channel: ' ', keyPrefix: '' })] }), {
    action: 'allow',
    rule: 0,
  });
});

test('T43 T44 dm means direct; groups and channels are told apart', () => {
  const onlyDirect = { default: 'deny', rules: [rule('allow', { chatType: 'direct' })] };
  assert.equal(verdict(onlyDirect, { chatType: 'dm' }).action, 'allow');
  assert.equal(verdict({ default: 'deny', rules: [rule('allow', { chatType: 'dm' })] }).action, 'allow');
  assert.equal(verdict({ rules: [rule('deny', { chatType: 'channel' })] }, { chatType: 'channel' }).action, 'deny');
  assert.equal(verdict({ rules: [rule('deny', { chatType: 'channel' })] }, { chatType: 'group' }).action, 'allow');
});

test('T45 a kind of chat that does not exist is none, and a rule for it is an error of the configuration', () => {
  assert.deepEqual(['dm', ' DIRECT', 'group', 'channel', 'room', ''].map(normaliseChatType), [
    'direct',
    'direct',
    'group',
    'channel',
    undefined,
    undefined,
  ]);
  assert.throws(() => verdict({ default: 'deny', rules: [rule('allow', { chatType: 'room' })] }), /expected one of/);
  assert.equal(
    verdict({ default: 'deny', rules: [rule('allow', { chatType: 'group' })] }, { chatType: 'room' }).action,
    'deny',
  );
});
