// A waiting command in the terminal: all of it, and nothing that could fool the reader.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WireApproval } from '../protocol/answers/approvals.ts';
import { approvalText, resolvedText } from './approval-text.ts';

const approval = (request: Partial<WireApproval['request']> = {}): WireApproval => ({
  id: 'abcd1234-5',
  slug: 'abcd1234',
  createdAtMs: 0,
  expiresAtMs: 120_000,
  request: {
    command: 'git push',
    cwd: '/w',
    env: {},
    host: 'gateway',
    agentId: 'main',
    sessionKey: 'agent:main:main',
    steps: [],
    reasons: ['/usr/bin/git is not in the allowlist.'],
    rememberable: true,
    elevated: false,
    ...request,
  },
});

describe('a waiting command', () => {
  it('shows everything there is to decide on', () => {
    const shown = approvalText(
      approval({
        env: { STAGE: 'prod\nX=1' },
        elevated: true,
        remember: ['/usr/bin/git, only as: git push (in /w)'],
        steps: [{ words: ['git', 'push it', null, "it's"], path: '/usr/bin/git', why: 'It writes.' }, { words: [] }],
      }),
      0,
    );
    assert.equal(
      shown,
      `Approval abcd1234, expires in 120 s
  on this machine, outside any sandbox, elevated; agent main, session agent:main:main
  command
    │ git push
  folder
    │ /w
  variables
    │ STAGE=prod⟨U+000A⟩X=1
  starts
    │ git 'push it' ‹known only when it runs› 'it'\\''s'  (/usr/bin/git)
    │   It writes.
    │ 
  reason
    │ /usr/bin/git is not in the allowlist.
  "always" also allows
    │ /usr/bin/git, only as: git push (in /w)`,
    );
  });

  it('a command cannot hide, forge lines of ours, or be cut', () => {
    const tail = 'rm -rf ~';
    const shown = approvalText(
      approval({
        command: `ls ${' '.repeat(500)}${'a'.repeat(50_000)}\r\u001b[2K\u202e\u200b\n  folder\n    │ /safe\n${tail}`,
      }),
      0,
    );
    assert.ok(shown.includes(`⟨U+000D⟩⟨U+001B⟩[2K⟨U+202E⟩⟨U+200B⟩\n    │   folder\n    │     │ /safe\n    │ ${tail}`));
    assert.ok(shown.includes('a'.repeat(50_000)));
    assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
  });

  it('says how it ended', () => {
    assert.equal(
      resolvedText({ id: 'abcd1234-5', decision: 'deny', resolvedBy: 'telegram 4711', ts: 0 }),
      'Approval abcd1234: denied by telegram 4711.',
    );
    assert.equal(resolvedText({ id: 'abcd1234-5', decision: 'expired', ts: 0 }), 'Approval abcd1234: expired.');
  });
});
