import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../../../core/present.ts';
import type { Attempt, MediaDecision } from '../../../core/understanding.ts';
import { mediaStatusLine, summary } from './status-line.ts';

const success: Attempt = { type: 'provider', provider: 'p', model: 'm', outcome: 'success' };
const skipped: Attempt = {
  type: 'provider',
  provider: 'p',
  outcome: 'skipped',
  reason: 'maxBytes: it is larger than 20 MiB',
};
const decision = (
  capability: MediaDecision['capability'],
  outcome: MediaDecision['outcome'],
  ...attempts: Attempt[]
): MediaDecision => ({
  capability,
  outcome,
  attachments: attempts.map((attempt, attachmentIndex) => ({
    attachmentIndex,
    attempts: [attempt],
    ...present({ chosen: attempt.outcome === 'success' ? attempt : undefined }),
  })),
});

test('T123: the status line in the documented words', () => {
  assert.equal(
    mediaStatusLine([decision('image', 'success', success), decision('audio', 'skipped', skipped)]),
    '📎 Media: image ok (p/m) · audio skipped (maxBytes)',
  );
  assert.equal(
    mediaStatusLine([
      decision('image', 'success', success, success),
      decision('audio', 'disabled'),
      decision('video', 'scope-deny', skipped),
    ]),
    '📎 Media: image x2 ok (p/m) · audio off · video denied',
  );
  assert.equal(
    mediaStatusLine([
      decision('image', 'failed', { ...skipped, outcome: 'failed', reason: 'HTTP 500: no' }),
      decision('video', 'no-attachment'),
    ]),
    '📎 Media: image failed (HTTP 500) · video none',
  );
  assert.equal(mediaStatusLine([decision('image', 'no-attachment'), decision('audio', 'no-attachment')]), undefined);
  assert.equal(mediaStatusLine([]), undefined);
});

test('T123: a file that was never tried tells its own reason', () => {
  const decided: MediaDecision = {
    capability: 'audio',
    outcome: 'skipped',
    attachments: [{ attachmentIndex: 0, attempts: [], reason: 'tooSmall' }],
  };
  assert.equal(mediaStatusLine([decided]), '📎 Media: audio skipped (tooSmall)');
  assert.equal(summary(decided), 'audio: skipped (0/1) reason=tooSmall');
  assert.equal(
    summary(decision('image', 'success', success, skipped)),
    'image: success (1/2) via p/m reason=maxBytes: it is larger than 20 MiB',
  );
});
