import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeSchema } from '../../config/understanding-config.ts';
import { present } from '../../core/present.ts';
import { normaliseChatType, scopeDecision, type ScopePlace } from './scope.ts';

const place: ScopePlace = { channel: 'telegram', chatType: 'direct', sessionKey: 'agent:main:main' };
const decide = (scope: unknown, at: Partial<ScopePlace> = {}) =>
  scopeDecision(scope === undefined ? undefined : scopeSchema.parse(scope), { ...place, ...at });
const rule = (action: string, match?: object) => present({ action, match });

test('T46 without a scope, and without a rule that matches, everything is allowed', () => {
  assert.deepEqual(decide(undefined), { action: 'allow' });
  assert.deepEqual(decide({ rules: [rule('deny', { channel: 'discord' })] }), { action: 'allow' });
  assert.deepEqual(decide({ default: 'deny', rules: [] }), { action: 'deny' });
});

test('T46 the first rule that matches in all its fields decides', () => {
  const rules = [
    rule('deny', { channel: 'Discord ' }),
    rule('allow', { channel: 'telegram', chatType: 'direct', keyPrefix: 'Agent:MAIN:' }),
    rule('deny'),
  ];
  assert.deepEqual(decide({ rules }), { action: 'allow', rule: 1 });
  assert.deepEqual(decide({ rules }, { sessionKey: 'agent:work:main' }), { action: 'deny', rule: 2 });
  assert.deepEqual(decide({ rules }, { channel: 'DISCORD' }), { action: 'deny', rule: 0 });
  assert.deepEqual(
    decide({ rules: [rule('deny')] }),
    { action: 'deny', rule: 0 },
    'a rule without a match holds everywhere',
  );
  assert.deepEqual(decide({ default: 'deny', rules: [rule('allow', { channel: ' ', keyPrefix: '' })] }), {
    action: 'allow',
    rule: 0,
  });
});

test('T43 T44 dm means direct; groups and channels are told apart', () => {
  const onlyDirect = { default: 'deny', rules: [rule('allow', { chatType: 'direct' })] };
  assert.equal(decide(onlyDirect, { chatType: 'dm' }).action, 'allow');
  assert.equal(decide({ default: 'deny', rules: [rule('allow', { chatType: 'dm' })] }).action, 'allow');
  assert.equal(decide({ rules: [rule('deny', { chatType: 'channel' })] }, { chatType: 'channel' }).action, 'deny');
  assert.equal(decide({ rules: [rule('deny', { chatType: 'channel' })] }, { chatType: 'group' }).action, 'allow');
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
  assert.throws(() => decide({ default: 'deny', rules: [rule('allow', { chatType: 'room' })] }), /expected one of/);
  assert.equal(
    decide({ default: 'deny', rules: [rule('allow', { chatType: 'group' })] }, { chatType: 'room' }).action,
    'deny',
  );
});
