/** What the gateway tool may ask of updates in a turn: for whom, and who is told afterwards. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChatAddress } from '../../core/message.ts';
import type { Right } from '../../core/principal.ts';
import { canonicalSessionKey } from '../../core/session-key.ts';
import type { Turn } from '../../core/turn.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { createUpdateTools } from './tool-methods.ts';
import type { UpdateReport, UpdateRequest } from './update-service.ts';

const KEY = 'agent:main:telegram:group:-100:topic:7';
const TOPIC: ChatAddress = {
  channel: 'telegram',
  accountId: 'work',
  chat: { kind: 'group', id: '-100' },
  threadId: '7',
};
const OWNER = peopleAuthority({ home: { sessionKey: KEY, address: TOPIC }, rights: ['configure'] });

interface Given {
  readonly rights?: readonly Right[];
  readonly hands?: readonly string[];
  readonly report?: Partial<UpdateReport>;
}

function harness({ rights = ['configure'], hands = [], report = {} }: Given = {}) {
  const updates: UpdateRequest[] = [];
  const home = { sessionKey: KEY, address: TOPIC };
  const turn = {
    authority: peopleAuthority({ home, rights, hands }),
    route: { agentId: 'main', sessionKey: KEY, matchedBy: 'default', replyTo: { ...TOPIC, via: 'expires' } },
  } as unknown as Turn;
  const tool = createUpdateTools({
    turn,
    canonicalKey: (raw) => canonicalSessionKey(raw),
    updater: {
      run: async (request) => {
        updates.push(request);
        return { status: 'ok', mode: 'git', root: '/r', steps: [], durationMs: 1, ...report };
      },
      status: async () => ({ mode: 'git', root: '/r', current: { version: '1' } }),
    },
  });
  return { tool, updates };
}

describe('update.run', () => {
  it('is the owner’s, tells his conversation afterwards, and shows its steps', async () => {
    const { tool, updates } = harness({ report: { restart: { scheduledAt: 5, delayMs: 2000 } } });
    const progress = (): void => undefined;
    assert.deepEqual(await tool['update.run']({ timeoutMs: 5000, note: 'n', restartDelayMs: 1, progress }), {
      ok: true,
      result: { status: 'ok', mode: 'git', root: '/r', steps: [], durationMs: 1 },
      restart: { scheduledAt: 5, delayMs: 2000 },
    });
    assert.deepEqual(updates, [
      { timeoutMs: 5000, restartDelayMs: 1, note: 'n', sessionKey: KEY, replyTo: TOPIC, authority: OWNER, progress },
    ]);
  });

  it('that failed is not ok', async () => {
    const { tool } = harness({ report: { status: 'error', reason: 'build-failed' } });
    assert.equal((await tool['update.run']({})).ok, false);
  });

  it('refuses parameters it does not know, and the conversation of another agent', async () => {
    const { tool, updates } = harness();
    await assert.rejects(tool['update.run']({ fresh: true }), { code: 'invalid' });
    await assert.rejects(tool['update.run']({ sessionKey: 'agent:other:main' }), { code: 'denied' });
    assert.deepEqual(updates, []);
  });
});

it('neither people with other rights nor turns nobody wrote update the gateway or look', async () => {
  for (const given of [{ rights: ['approve', 'elevate'] }, { hands: ['somebody'] }] satisfies Given[]) {
    const { tool, updates } = harness(given);
    for (const method of ['update.run', 'update.status'] as const)
      await assert.rejects(tool[method]({}), { code: 'denied', message: /owner/ }, method);
    assert.deepEqual(updates, []);
  }
});

it('the owner gets the available update', async () => {
  assert.deepEqual(await harness().tool['update.status']({}), { mode: 'git', root: '/r', current: { version: '1' } });
});
