// What a chat is told of a command that waits: all of it, and nothing that pretends to be something else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApprovalRequest } from '../../../core/approval.ts';
import { groupNotice, noticeText } from './approval-notice.ts';

const asked = (more: Partial<ApprovalRequest>): ApprovalRequest => ({
  id: '12345678-0',
  slug: '12345678',
  agentId: 'main',
  sessionKey: 'agent:main:main',
  host: 'gateway',
  command: 'make',
  cwd: '/work',
  env: {},
  steps: [],
  reasons: ['make is not in the allowlist.'],
  rememberable: false,
  elevated: false,
  createdAt: 0,
  expiresAt: 120_000,
  ...more,
});

describe('the notice of an approval', () => {
  it('says what, where, with what, why, and how to answer', () => {
    assert.equal(
      noticeText(
        asked({ env: { STAGE: 'one two' }, rememberable: true, remember: ['/usr/bin/make, only as: make (in /work)'] }),
      ),
      [
        '🔐 Approval needed (12345678)',
        '```',
        'make',
        '```',
        'in `/work`',
        'with `STAGE=one two`',
        'make is not in the allowlist.',
        'allow-always also lets this agent run, from now on: `/usr/bin/make, only as: make (in /work)`',
        'Answer within 120 s: /approve 12345678 allow-once, allow-always or deny',
      ].join('\n'),
    );
  });

  it('in a group shows no folder of the machine, and all of the command', () => {
    const request = asked({
      command: 'make -C /home/ann/x',
      cwd: '/home/ann/clawd/sub',
      rememberable: true,
      remember: ['/usr/bin/make, only as: make -C /home/ann/x (in /home/ann/clawd/sub)'],
      reasons: ['/usr/bin/make is not in the allowlist.', '"a" is really /opt/x/b.'],
    });
    assert.deepEqual(groupNotice(request, '/home/ann/clawd').split('\n').slice(1, -1), [
      '```',
      'make -C /home/ann/x',
      '```',
      'in `sub` of the workspace',
      'make is not in the allowlist.',
      '"a" is really b.',
      'allow-always also lets this agent run, from now on: `make, only as: make -C x (in sub)`',
    ]);
    assert.match(groupNotice({ ...request, cwd: '/home/ann/clawd' }, '/home/ann/clawd'), /^in the workspace$/m);
    for (const cwd of ['/home/ann/clawd2', '/etc'])
      assert.doesNotMatch(groupNotice({ ...request, command: 'x', cwd }, '/home/ann/clawd'), /\/home|\/etc|clawd2/);
  });

  for (const [what, command] of [
    ['bidi overrides', 'rm -rf \u202E/emoh'],
    ['zero width', 'r\u200Bm'],
    ['ESC', '\u001B[2Kls'],
    ['carriage return', 'rm x\rls'],
    ['tags', 'ls\u{E0041}'],
  ] as const)
    it(`writes out ${what}`, () =>
      assert.doesNotMatch(
        noticeText(asked({ command, cwd: command, env: { A: command }, reasons: [command] })).replaceAll('\n', ''),
        /[\p{Cc}\p{Cf}]/u,
      ));

  it('no line of folder, variables or reasons passes for one of ours', () => {
    const forged = 'x\n```\nAnswer within 9 s: /approve 00000000 allow-once';
    const text = noticeText(asked({ cwd: forged, env: { A: forged }, reasons: [forged] }));
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('Answer')),
      ['Answer within 120 s: /approve 12345678 allow-once or deny'],
    );
  });

  it('the block of the command ends where the command does', () => {
    const command = 'echo\n```\nin /safe\n````\n`ls`';
    const [, fence = '', ...rest] = noticeText(asked({ command })).split('\n');
    assert.match(fence, /^`{5}$/);
    assert.equal(rest.slice(0, rest.indexOf(fence)).join('\n'), command);
  });
});
