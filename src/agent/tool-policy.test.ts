/** Tool policy: each layer only removes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { permittedTools } from './tool-policy.ts';

const tools = ['bash', 'read', 'write', 'session_status'].map((name) => ({ name }));
const left = (...layers: { allow?: string[]; deny?: string[] }[]): string[] => permittedTools(tools, layers).map(({ name }) => name);

it('leaves everything without a policy', () => assert.equal(left().length, 4));
it('lets deny win over allow, in any layer', () => {
  assert.deepEqual(left({ allow: ['read', 'write'], deny: ['write'] }), ['read']);
  assert.deepEqual(left({ deny: ['bash'] }, { allow: ['bash', 'read'] }), ['read']);
});
it('reads patterns and aliases, without regard to case', () => {
  assert.deepEqual(left({ allow: ['SESSION_*'] }), ['session_status']);
  assert.deepEqual(left({ deny: ['exec'] }), ['read', 'write', 'session_status']);
  assert.deepEqual(left({ deny: ['*'] }), []);
  assert.deepEqual(left({ deny: ['r.ad'] }).length, 4);
});
it('allows nothing with an empty allow list', () => assert.deepEqual(left({ allow: [] }), []));
