/** Scopes: every kind of principal against every requirement. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allow, OPERATOR_SCOPES, scopesGrant, type Principal, type Requirement } from './principal.ts';

const REQUIREMENTS: readonly Requirement[] = [...OPERATOR_SCOPES, 'node', 'any'];
const operator = (...scopes: string[]): Principal => ({ kind: 'operator', id: 'o', scopes });
const sender = (authorized: boolean): Principal => ({ kind: 'sender', channel: 'pipe', id: 'u', authorized });

const TABLE: readonly (readonly [name: string, principal: Principal, may: readonly Requirement[]])[] = [
  ['the owner', { kind: 'owner' }, [...OPERATOR_SCOPES, 'any']],
  ['an admin', operator('operator.admin'), [...OPERATOR_SCOPES, 'any']],
  ['a reader', operator('operator.read'), ['operator.read', 'any']],
  ['a writer', operator('operator.write'), ['operator.read', 'operator.write', 'any']],
  ['an approver', operator('operator.approvals'), ['operator.approvals', 'any']],
  ['a pairing operator', operator('operator.pairing'), ['operator.pairing', 'any']],
  ['an operator without scopes', operator(), ['any']],
  ['an operator with scopes nobody knows', operator('operator', 'admin', 'OPERATOR.ADMIN', 'node', '*'), ['any']],
  ['a node', { kind: 'node', id: 'n' }, ['node', 'any']],
  ['an authorized sender', sender(true), ['operator.read', 'operator.write']],
  ['a stranger', sender(false), []],
  ...(['cron', 'session', 'heartbeat', 'restart'] as const).map(
    (origin) =>
      [`work from ${origin}`, { kind: 'internal', origin }, ['operator.read', 'operator.write', 'any']] as const,
  ),
];

describe('allow', () => {
  for (const [name, principal, may] of TABLE)
    it(`${name} may ${may.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(
        REQUIREMENTS.filter((needs) => allow(principal, needs)),
        REQUIREMENTS.filter((needs) => may.includes(needs)),
      ));

  it('says no to what it does not know', () => {
    assert.ok(!allow({ kind: 'somebody' } as unknown as Principal, 'any'));
    assert.ok(!scopesGrant(['operator.read'], 'operator.everything' as never));
  });
});
