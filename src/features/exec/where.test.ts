// Where a command runs, and what nobody gets by asking for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execSchema } from './config.ts';
import { type ELEVATED_LEVELS } from '../../core/command-levels.ts';
import { execSettings } from './exec-settings.ts';
import { where } from './where.ts';

const at = (
  host: string | undefined,
  configured: 'auto' | 'sandbox' | 'gateway' | 'node',
  sandboxed: boolean,
  elevated: (typeof ELEVATED_LEVELS)[number] = 'off',
) => {
  const found = where({ request: { host }, settings: { host: configured }, sandboxed, elevated });
  return 'host' in found ? found.host : `${found.code}: ${found.message}`;
};

test('auto is the sandbox for sandboxed conversations and this machine for others', () => {
  assert.deepEqual(
    [at(undefined, 'auto', true), at(undefined, 'auto', false), at('auto', 'auto', true)],
    ['sandbox', 'gateway', 'sandbox'],
  );
});

test('a sandboxed conversation does not leave its box by a setting for others, only by being elevated', () => {
  assert.equal(at(undefined, 'gateway', true), 'sandbox');
  assert.equal(at(undefined, 'auto', true, 'ask'), 'gateway');
});

test('asking for another host than the configured one is an error that names both (T35)', () => {
  assert.match(at('node', 'gateway', false), /^denied: .*host=node.*host=gateway/);
  assert.match(at('gateway', 'auto', true), /^denied: .*host=gateway.*host=sandbox/);
  assert.equal(at('gateway', 'auto', true, 'full'), 'gateway');
  assert.equal(at('moon', 'auto', false), 'gateway');
});

test('a sandbox that is not there fails closed', () => {
  assert.match(at(undefined, 'sandbox', false), /^sandbox-unavailable/);
});

test('a node is where commands run when the settings say so, and never for a sandboxed conversation', () => {
  assert.deepEqual([at(undefined, 'node', false), at('node', 'node', false)], ['node', 'node']);
  assert.equal(at(undefined, 'node', false, 'ask'), 'gateway');
  assert.match(at(undefined, 'node', true), /^sandbox-unavailable: .*outside its sandbox/);
  assert.match(at('gateway', 'node', false), /^denied: .*host=gateway.*host=node/);
});

test('a conversation can only be stricter, and choose where nobody did', () => {
  const general = execSchema.parse({ security: 'allowlist', ask: 'on-miss', timeoutSec: 10 });
  assert.deepEqual(pick(execSettings(general, undefined, { security: 'full', ask: 'off' })), [
    'allowlist',
    'on-miss',
    10,
  ]);
  assert.deepEqual(pick(execSettings(general, undefined, { security: 'deny', ask: 'always' })), ['deny', 'always', 10]);
  assert.equal(execSettings(general, undefined, { host: 'sandbox' }).host, 'sandbox');
  assert.equal(execSettings(general, { host: 'sandbox' }, { host: 'gateway' }).host, 'sandbox');
});

test('an agent can only be stricter', () => {
  const general = execSchema.parse({ security: 'allowlist', ask: 'on-miss', timeoutSec: 10 });
  assert.deepEqual(pick(execSettings(general, { security: 'full', ask: 'off' })), ['allowlist', 'on-miss', 10]);
  assert.deepEqual(pick(execSettings(general, { security: 'deny', ask: 'always', timeoutSec: 5 })), [
    'deny',
    'always',
    5,
  ]);
  assert.deepEqual(pick(execSettings(general, undefined)), ['allowlist', 'on-miss', 10]);
});

const pick = ({ security, ask, timeoutSec }: ReturnType<typeof execSettings>) => [security, ask, timeoutSec];
