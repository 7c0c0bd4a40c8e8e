/** Tool policy: each layer only removes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { permittedTools } from './tool-policy.ts';

const tools = ['bash', 'read', 'write', 'session_status'].map((name) => ({ name }));
const left = (...layers: Parameters<typeof permittedTools>[1][number][]): string[] => permittedTools(tools, layers).map(({ name }) => name);

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

it('reads the names of groups', () => {
  assert.deepEqual(left({ deny: ['group:fs'] }), ['bash', 'session_status']);
  assert.deepEqual(left({ allow: ['Group:Runtime', 'read'] }), ['bash', 'read']);
  assert.deepEqual(left({ deny: ['group:openclaw'] }), ['bash', 'read', 'write']);
  assert.deepEqual(left({ allow: ['group:nobody'] }), []);
});

it('begins with a profile, which allow and deny only narrow', () => {
  assert.deepEqual(left({ profile: 'minimal' }), ['session_status']);
  assert.deepEqual(left({ profile: 'coding', deny: ['bash'] }), ['read', 'write', 'session_status']);
  assert.deepEqual(left({ profile: 'minimal', allow: ['*'] }), ['session_status']);
  assert.deepEqual(left({ profile: 'minimal', alsoAllow: ['read'] }), ['read', 'session_status']);
  assert.equal(left({ alsoAllow: ['read'] }).length, 4, 'without a profile nothing is missing');
});

it("lets an agent's own profile replace the general one, but not its denials", () => {
  assert.deepEqual(left({ profile: 'minimal' }, { profile: 'full' }).length, 4);
  assert.deepEqual(left({ profile: 'full', deny: ['bash'] }, { profile: 'coding' }), ['read', 'write', 'session_status']);
});
