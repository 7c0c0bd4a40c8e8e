// Which sessions may be read and written from which, one line per case.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkSessionAccess, type SessionAccessQuestion } from './check-session-access.ts';

const OWN = { key: 'agent:main:main', agentId: 'main' };
const SIBLING = { key: 'agent:main:desk:group:1', agentId: 'main' };
const FOREIGN = { key: 'agent:work:main', agentId: 'work' };
const CHILD = { key: 'agent:main:subagent:1', agentId: 'main' };
const FOREIGN_CHILD = { key: 'agent:work:subagent:1', agentId: 'work' };

interface Case {
  readonly target: SessionAccessQuestion['target'];
  readonly visibility?: SessionAccessQuestion['config']['visibility'];
  readonly enabled?: true;
  readonly allow?: readonly string[];
  readonly sandboxed?: true;
  readonly sandbox?: 'all';
  readonly spawned?: true;
  readonly requester?: SessionAccessQuestion['requester'];
}

function ask(
  { target, visibility, enabled, allow = [], sandboxed, sandbox, spawned, requester = OWN }: Case,
  action: SessionAccessQuestion['action'] = 'history',
) {
  return checkSessionAccess({
    requester,
    target,
    action,
    sandboxed: sandboxed ?? false,
    spawned: spawned ?? false,
    config: {
      visibility,
      agentToAgent: { enabled: enabled ?? false, allow: [...allow] },
      sandboxVisibility: sandbox ?? 'spawned',
    },
  });
}

const ALLOWED: readonly Case[] = [
  { target: OWN },
  { target: OWN, visibility: 'self' },
  { target: OWN, sandboxed: true },
  { target: SIBLING },
  { target: SIBLING, visibility: 'agent' },
  { target: SIBLING, visibility: 'all' },
  { target: CHILD, spawned: true, visibility: 'tree' },
  { target: CHILD, spawned: true, sandboxed: true },
  { target: FOREIGN_CHILD, spawned: true },
  { target: SIBLING, sandboxed: true, sandbox: 'all' },
  { target: FOREIGN, enabled: true },
  { target: FOREIGN, enabled: true, visibility: 'all' },
  { target: FOREIGN, enabled: true, allow: ['main', 'work'] },
  { target: FOREIGN, enabled: true, allow: ['*'] },
  { target: FOREIGN, enabled: true, allow: ['MA*', 'W*k'] },
  { target: FOREIGN, enabled: true, allow: [' work ', '*in'] },
];

const REFUSED: readonly (readonly [Case, RegExp])[] = [
  [{ target: SIBLING, visibility: 'self' }, /"self"/],
  [{ target: CHILD, spawned: true, visibility: 'self' }, /"self"/],
  [{ target: SIBLING, visibility: 'tree' }, /"tree"/],
  [{ target: FOREIGN }, /tools\.agentToAgent\.enabled is off/],
  [{ target: FOREIGN, visibility: 'agent', enabled: true }, /tools\.sessions\.visibility is "agent"/],
  [{ target: FOREIGN, visibility: 'all' }, /tools\.agentToAgent\.enabled is off/],
  [{ target: FOREIGN, enabled: true, allow: ['main'] }, /list both in tools\.agentToAgent\.allow/],
  [{ target: FOREIGN, enabled: true, allow: ['work'] }, /list both in tools\.agentToAgent\.allow/],
  [{ target: FOREIGN, enabled: true, allow: ['Main', 'Work'] }, /list both in tools\.agentToAgent\.allow/],
  [{ target: FOREIGN, enabled: true, allow: ['m*n*n', '*ork*'] }, /list both in tools\.agentToAgent\.allow/],
  [{ target: FOREIGN, enabled: true, allow: ['ma*ain', 'work'] }, /list both in tools\.agentToAgent\.allow/],
  [{ target: FOREIGN, enabled: true, allow: [''] }, /list both in tools\.agentToAgent\.allow/],
  [
    { target: SIBLING, sandboxed: true },
    /^Session not visible from this sandboxed agent session: agent:main:desk:group:1$/,
  ],
  [{ target: FOREIGN, sandboxed: true, enabled: true, visibility: 'all' }, /sandboxed agent session/],
  [{ target: FOREIGN, sandboxed: true, sandbox: 'all' }, /agentToAgent/],
  [{ target: SIBLING, sandboxed: true, requester: CHILD }, /sandboxed/],
  [{ target: OWN, sandboxed: true, requester: CHILD }, /sandboxed/],
];

it('(T186 T196) lets through what configuration lets through, whatever is done there', () => {
  for (const one of ALLOWED)
    for (const action of ['list', 'history', 'status'] as const)
      assert.deepEqual(ask(one, action), { ok: true }, JSON.stringify([one, action]));
});

it('(T186 T196) keeps out the rest, and says which setting it was', () => {
  for (const [one, why] of REFUSED)
    for (const action of ['list', 'history', 'status', 'send'] as const) {
      const access = ask(one, action);
      assert.match(access.ok ? 'let through' : access.error, why, JSON.stringify([one, action]));
    }
});

it('(T193) lets no session write to itself', () => {
  const access = ask({ target: OWN, visibility: 'all', enabled: true }, 'send');
  assert.match(access.ok ? '' : access.error, /cannot write to itself/);
});
