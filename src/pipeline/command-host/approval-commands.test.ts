// Who may answer approvals from a chat, and whose.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Right } from '../../core/principal.ts';
import { silentLog } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { createPending } from '../../features/exec/approvals/pending.ts';
import type { CommandCall } from '../../pipeline/commands/command-call.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createApprovalCommands, type ApprovalCommandsDeps } from './approval-commands.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { NOTHING_SAID } from '../../core/said.ts';

const OWN = 'agent:main:telegram:direct:4711';

interface Person {
  readonly hands?: readonly string[];
  readonly id?: string;
  readonly kind?: 'direct' | 'group';
  readonly authorized?: boolean;
  readonly rights?: readonly Right[];
  readonly sessionKey?: string;
}

const callOf = ({
  id = '4711',
  kind = 'direct',
  authorized = true,
  rights,
  hands = [],
  sessionKey = OWN,
}: Person): CommandCall => ({
  args: '',
  sessionKey,
  row: {
    runId: 'r',
    authority: peopleAuthority({ ids: [id], commands: authorized, hands, ...present({ rights }) }),
    message: {
      id: '1',
      address: { channel: 'telegram', accountId: 'default', chat: { kind, id: 'c' } },
      sender: { id, name: 'x' },
      text: '',
      said: NOTHING_SAID,
      attachments: [],
      addressesBot: true,
      receivedAt: 0,
    },
  },
});

function harness() {
  const pending = createPending({ clock: createFakeClock(), log: silentLog });
  const ask = (sessionKey: string, command: string): string => {
    const asked = pending.ask(
      {
        agentId: 'main',
        sessionKey,
        host: 'gateway',
        command,
        cwd: '/',
        env: {},
        steps: [],
        reasons: [],
        rememberable: false,
        elevated: false,
      },
      { timeoutMs: 1000, signal: new AbortController().signal },
    );
    return 'problem' in asked ? '' : asked.request.slug;
  };
  const slugs = { own: ask(OWN, 'own'), other: ask('agent:main:main', 'oth\u202Eer\nx') };
  const commands = createApprovalCommands({
    environment: { approvals: pending },
    sessions: {},
    config: () => ({}),
  } as unknown as ApprovalCommandsDeps);
  /** `own`, `all` or why not. */
  const may = async (person: Person): Promise<string> => {
    try {
      const listed = commands.approvals(callOf(person)).length;
      const other = await commands.approve(callOf(person), slugs.other, 'deny').then(
        () => 'all',
        (error: Error) => (/No pending approval/.test(error.message) ? 'own' : error.message),
      );
      assert.equal(listed, other === 'all' ? 2 : 1);
      assert.match(await commands.approve(callOf(person), slugs.own, 'allow-once'), /^Approved/);
      return other;
    } catch (error) {
      return /you may not answer/.test(String(error)) ? 'none' : String(error);
    }
  };
  return { may, commands };
}

const CASES: readonly (readonly [who: string, person: Person, may: 'all' | 'own' | 'none'])[] = [
  ['a device with the scope', { id: 'x', rights: ['approve'] }, 'all'],
  ['a device without', { id: 'x', rights: [] }, 'none'],
  ['an approver, in a group', { kind: 'group', rights: ['approve'] }, 'all'],
  ['who answers for his own chat', { rights: ['approve-own'] }, 'own'],
  ['who answers for his own chat, in a group', { kind: 'group', rights: ['approve-own'] }, 'none'],
  ['the owner, where others are the approvers', { rights: ['configure'] }, 'none'],
  ['somebody who may only write', { authorized: false, rights: [] }, 'none'],
  ['work that nobody wrote, for an approver', { rights: ['approve'], hands: ['job:1'] }, 'none'],
];

describe('who answers approvals from a chat', () => {
  for (const [who, person, expected] of CASES)
    it(`${who}: ${expected}`, async () => assert.equal(await harness().may(person), expected));

  it('what waits is listed on one line each, nothing invisible in it', () => {
    const lines = harness().commands.approvals(callOf({ rights: ['approve'] }));
    assert.equal(lines.length, 2);
    assert.match(lines[1]!, /^[0-9a-f]{8} \(main\): oth⟨U\+202E⟩er⟨U\+000A⟩x$/);
  });
});

describe('G147 /elevated in a group', () => {
  const patches: unknown[] = [];
  const commands = createApprovalCommands({
    environment: {
      elevationOf: () => ({ allowed: true, level: 'full' }),
      place: () => ({}),
      usualElevation: () => 'off',
    },
    sessions: {
      agentOf: () => 'main',
      peek: () => undefined,
      patch: async (_key: string, patch: unknown) => void patches.push(patch),
    },
  } as unknown as ApprovalCommandsDeps);
  const said = ({
    addressed,
    native = false,
  }: {
    readonly addressed: boolean;
    readonly native?: boolean;
  }): CommandCall => {
    const call = callOf({ kind: 'group' });
    return {
      ...call,
      row: {
        ...call.row,
        message: { ...call.row.message, addressesBot: addressed, ...present({ native: native || undefined }) },
      },
    };
  };

  it('is for a message that addresses the agent; off needs no address', async () => {
    await assert.rejects(
      commands.elevate(said({ addressed: false }), 'full'),
      /mention it, or reply to one of its messages/,
    );
    assert.equal(patches.length, 0);
    await commands.elevate(said({ addressed: false }), 'off');
    await commands.elevate(said({ addressed: true }), 'full');
    await commands.elevate(said({ addressed: false, native: true }), 'ask');
    assert.deepEqual(patches, [{ elevatedLevel: 'off' }, { elevatedLevel: 'full' }, { elevatedLevel: 'ask' }]);
  });
});
