/** Pending approvals: stored once, with the correct remaining time, and the correct outcome at the end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequested } from '../gateway/wire.ts';
import {
  brief,
  extent,
  isProven,
  readApproval,
  resolutionWords,
  timeLeft,
  withApproval,
  withoutApproval,
} from './approval.ts';

const payload = (id: string, more: Partial<ApprovalRequested['request']> = {}): ApprovalRequested => ({
  id,
  slug: id.slice(0, 8),
  createdAtMs: 1_000_000,
  expiresAtMs: 1_120_000,
  request: {
    command: 'git push',
    cwd: '/w',
    env: {},
    host: 'gateway',
    agentId: 'main',
    sessionKey: 's',
    steps: [],
    reasons: [],
    rememberable: true,
    elevated: false,
    ...more,
  },
});

test('the time left is right though the two clocks differ', () => {
  const behind = 1_000_000 - 3_600_000;
  assert.equal(readApproval(payload('a'), behind, true).deadline - behind, 120_000, 'just asked: all of it');
  assert.equal(readApproval(payload('a'), behind, false).deadline - behind, 120_000, 'never more than the whole');
  assert.equal(readApproval(payload('a'), 1_100_000, false).deadline, 1_120_000);
  assert.equal(readApproval(payload('a'), 9_999_999, false).deadline, 9_999_999, 'none when it is over');
});

test('what is asked twice is kept once, in the order of asking', () => {
  const [a, b] = ['a', 'b'].map((id) => readApproval(payload(id), 0, true)) as [
    ReturnType<typeof readApproval>,
    ReturnType<typeof readApproval>,
  ];
  const both = withApproval(withApproval(withApproval([], a), b), a);
  assert.deepEqual(
    both.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.deepEqual(
    withoutApproval(both, 'a').map(({ id }) => id),
    ['b'],
  );
});

test('a step is called harmless only where the whole command was proven; what "always" means is said once', () => {
  assert.equal(
    isProven(
      readApproval(
        payload('a', {
          rememberable: false,
          steps: [{ words: ['ls'] }, { words: ['echo', null], why: 'known only to the shell' }],
        }),
        0,
        true,
      ),
    ),
    false,
  );
  const proven = readApproval(
    payload('a', { remember: ['/usr/bin/git, only as: git push (in /w)', '/usr/bin/git, only as: git push (in /w)'] }),
    0,
    true,
  );
  assert.deepEqual([isProven(proven), proven.remember], [true, ['/usr/bin/git, only as: git push (in /w)']]);
});

test('who decided is said; so is that nobody did', () => {
  const asked = readApproval(payload('a'), 0, true);
  assert.equal(
    resolutionWords({ id: 'a', decision: 'deny', resolvedBy: 'telegram 4711' }, asked),
    'Denied by telegram 4711: git push',
  );
  assert.equal(resolutionWords({ id: 'a', decision: 'expired' }, asked), 'Expired: git push');
});

test('lengths and times as people read them', () => {
  assert.deepEqual([59_001, 61_000, -5].map(timeLeft), ['1 min 0 s left', '1 min 1 s left', '0 s left']);
  assert.equal(extent('ls -la'), undefined);
  assert.equal(extent('a\nb'), '2 lines, 3 characters');
  assert.equal(brief(`echo\n  ${'x'.repeat(99)}`).length, 60);
});
