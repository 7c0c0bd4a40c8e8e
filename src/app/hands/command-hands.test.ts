// Who may answer approvals from a chat, and whose.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Right } from '../../core/principal.ts';
import { silentLog } from '../../core/log.ts';
import { createPending } from '../../exec/approvals/pending.ts';
import type { CommandCall } from '../../pipeline/commands/command-call.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createCommandHands, type CommandHandsDeps } from './command-hands.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { NOTHING_SAID } from '../../core/said.ts';

const OWN = 'agent:main:telegram:direct:4711';

interface Person { readonly id?: string; readonly kind?: 'direct' | 'group'; readonly authorized?: boolean; readonly rights?: readonly Right[]; readonly sessionKey?: string }

const callOf = ({ id = '4711', kind = 'direct', authorized = true, rights, sessionKey = OWN }: Person): CommandCall => ({
  args: '', sessionKey,
  row: { runId: 'r', authority: peopleAuthority({ ids: [id], commands: authorized, ...(rights ? { rights } : {}) }), message: { id: '1', address: { channel: 'telegram', accountId: 'default', chat: { kind, id: 'c' } }, sender: { id, name: 'x' }, text: '', said: NOTHING_SAID, attachments: [], addressesBot: true, receivedAt: 0 } },
});

function stage({ approvers = {}, allowFrom = ['4711'] }: { approvers?: Record<string, string[]>; allowFrom?: readonly unknown[] } = {}) {
  const pending = createPending({ clock: createFakeClock(), log: silentLog });
  const ask = (sessionKey: string, command: string): string => {
    const asked = pending.ask({ agentId: 'main', sessionKey, host: 'gateway', command, cwd: '/', env: {}, steps: [], reasons: [], rememberable: false, elevated: false }, { timeoutMs: 1000, signal: new AbortController().signal });
    return 'problem' in asked ? '' : asked.request.slug;
  };
  const slugs = { own: ask(OWN, 'own'), other: ask('agent:main:main', 'oth\u202Eer\nx') };
  const config = { tools: { exec: { approvers } }, channels: { telegram: { allowFrom } } };
  const hands = createCommandHands({ hands: { pending }, sessions: {}, config: () => config } as unknown as CommandHandsDeps);
  /** `own`, `all` or why not. */
  const may = async (person: Person): Promise<string> => {
    try {
      const listed = hands.approvals(callOf(person)).length;
      const other = await hands.approve(callOf(person), slugs.other, 'deny').then(() => 'all', (error: Error) => (/No approval/.test(error.message) ? 'own' : error.message));
      assert.equal(listed, other === 'all' ? 2 : 1);
      assert.match(await hands.approve(callOf(person), slugs.own, 'allow-once'), /^Approved/);
      return other;
    } catch (error) {
      return /you may not answer/.test(String(error)) ? 'none' : String(error);
    }
  };
  return { may, hands };
}

const CASES: readonly (readonly [who: string, person: Person, config: Parameters<typeof stage>[0], may: 'all' | 'own' | 'none'])[] = [
  ['a device with the scope', { id: 'x', authorized: true, rights: ['approve'] }, {}, 'all'],
  ['a device without', { id: 'x', rights: [] }, {}, 'none'],
  ['who is named', {}, { approvers: { telegram: ['4711'] } }, 'all'],
  ['who is named, in a group', { kind: 'group' }, { approvers: { telegram: ['telegram:4711'] } }, 'all'],
  ['who is named elsewhere', {}, { approvers: { slack: ['4711'] }, allowFrom: [] }, 'none'],
  ['who is not named where names stand', {}, { approvers: { telegram: ['12'] } }, 'none'],
  ['nobody where an empty list stands', {}, { approvers: { telegram: [] } }, 'none'],
  ['who may write, in a chat of his own', {}, {}, 'own'],
  ['who may write, as a number', {}, { allowFrom: [4711] }, 'own'],
  ['who may write, in a group', { kind: 'group' }, {}, 'none'],
  ['everybody', {}, { allowFrom: ['*'] }, 'none'],
  ['everybody, by that very name', { id: '*' }, { allowFrom: ['*'] }, 'none'],
  ['who is named and not admitted', { authorized: false }, { approvers: { telegram: ['4711'] } }, 'none'],
];

describe('who answers approvals from a chat', () => {
  for (const [who, person, config, expected] of CASES) it(`${who}: ${expected}`, async () => assert.equal(await stage(config).may(person), expected));

  it('what waits is listed on one line each, nothing invisible in it', () => {
    const lines = stage().hands.approvals(callOf({ rights: ['approve'] }));
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, /^[0-9a-f]{8} \(main\): oth⟨U\+202E⟩er⟨U\+000A⟩x$/);
  });
});

describe('G147 /elevated in a group', () => {
  const patches: unknown[] = [];
  const hands = createCommandHands({
    hands: { elevationOf: () => ({ allowed: true, level: 'full' }), place: () => ({}) }, config: () => ({ agents: { defaults: { elevatedDefault: 'off' } } }),
    sessions: { agentOf: () => 'main', peek: () => undefined, patch: async (_key: string, patch: unknown) => void patches.push(patch) },
  } as unknown as CommandHandsDeps);
  const said = ({ addressed, native = false }: { readonly addressed: boolean; readonly native?: boolean }): CommandCall => {
    const call = callOf({ kind: 'group' });
    return { ...call, row: { ...call.row, message: { ...call.row.message, addressesBot: addressed, ...(native ? { native } : {}) } } };
  };

  it('is for a message that addresses the agent; off needs no address', async () => {
    await assert.rejects(hands.elevate(said({ addressed: false }), 'full'), /mention it, or answer one of its messages/);
    assert.equal(patches.length, 0);
    await hands.elevate(said({ addressed: false }), 'off');
    await hands.elevate(said({ addressed: true }), 'full');
    await hands.elevate(said({ addressed: false, native: true }), 'ask');
    assert.deepEqual(patches, [{ elevatedLevel: 'off' }, { elevatedLevel: 'full' }, { elevatedLevel: 'ask' }]);
  });
});
