/** Tool cards: headline, outcome, and changes of a call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastLine, inOrder, stateOf } from '../processes/process-words.ts';
import type { ProcessView } from '../gateway/wire.ts';
import { diffLines, diffSize } from './diff-lines.ts';
import { diffsOf, headlineOf, outcomeOf, outcomeWords, waitsFor } from './tool-facts.ts';

test('how a command ended is read from its details, whatever is missing', () => {
  const words = (details: unknown): string | undefined => outcomeWords(outcomeOf(details));
  assert.equal(words({ status: 'completed', exitCode: 0 }), undefined);
  assert.equal(words({ status: 'failed', exitCode: 2 }), 'exit 2');
  assert.equal(words({ status: 'failed', exitCode: 137, exitSignal: 'SIGKILL' }), 'SIGKILL');
  assert.equal(
    words({ status: 'failed', exitSignal: 'SIGKILL', endReason: 'timeout', timeoutSeconds: 5 }),
    'timed out',
  );
  assert.equal(words({ status: 'failed', exitSignal: 'SIGTERM', endReason: 'aborted' }), 'stopped');
  assert.equal(words({ status: 'running', sessionId: 'calm-harbor' }), 'in the background');
  assert.equal(words({ status: 'refused', code: 'user-denied' }), 'denied');
  assert.equal(words({ status: 'refused', code: 'approval-timeout' }), 'approval expired');
  assert.equal(words({ status: 'aborted', code: 'aborted' }), 'stopped');
  for (const nonsense of [undefined, null, 'text', [], { exitCode: 'x' }, { status: 'running' }])
    assert.equal(words(nonsense), undefined);
});

test('the headline is the command, the file, or the files of a patch', () => {
  assert.equal(headlineOf({ args: { timeout: 5, command: 'ls -la' } }), 'ls -la');
  assert.equal(headlineOf({ args: { action: 'poll', sessionId: 'calm-harbor' } }), 'poll calm-harbor');
  assert.equal(
    headlineOf({
      args: { input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Add File: b/c.ts\n+z\n*** End Patch' },
    }),
    'a.ts, b/c.ts',
  );
  assert.equal(headlineOf({ args: undefined }), '');
});

test('a command that waits for a person says for which approval', () => {
  assert.equal(
    waitsFor({ state: 'running', output: 'Waiting for approval 1a2b3c4d: answer in the Control UI' }),
    '1a2b3c4d',
  );
  assert.equal(waitsFor({ state: 'ok', output: 'Waiting for approval 1a2b3c4d: answer' }), undefined);
  assert.equal(waitsFor({ state: 'running', output: 'waiting' }), undefined);
});

test('changes are numbered as the file is', () => {
  const diff = '@@ -2,3 +2,4 @@ def run\n same\n-old\n+new\n+++ plus\n last\n\\ No newline at end of file';
  assert.deepEqual(
    diffLines(diff).map(({ kind, line, text }) => [kind, line, text]),
    [
      ['hunk', undefined, 'def run'],
      ['same', 2, 'same'],
      ['removed', 3, 'old'],
      ['added', 3, 'new'],
      ['added', 4, '++ plus'],
      ['same', 5, 'last'],
    ],
  );
  assert.equal(diffSize([{ diff }, { diff: '+a\n+b' }]), '+4 −1');
  assert.deepEqual(
    diffsOf({
      files: [
        { status: 'A', path: 'a', diff: '+x' },
        { status: 'D', path: 'b' },
      ],
    }),
    [{ diff: '+x', path: 'a' }],
  );
  assert.deepEqual(diffsOf({ path: 'a', diff: '-x' }), [{ diff: '-x', path: 'a' }]);
  assert.deepEqual(diffsOf('nothing'), []);
});

test('how a process stands, and in which order they are shown', () => {
  assert.deepEqual(stateOf({ status: 'failed', endReason: 'timeout', timeoutSeconds: 5, exitSignal: 'SIGKILL' }), {
    words: 'timed out after 5 s',
    tone: 'bad',
  });
  assert.deepEqual(stateOf({ status: 'failed', endReason: 'killed', exitSignal: 'SIGKILL' }), {
    words: 'killed',
    tone: 'quiet',
  });
  assert.equal(stateOf({ status: 'failed', endReason: 'lost' }).tone, 'quiet');
  assert.equal(lastLine('one\n  two  \n\n'), 'two');
  const view = (sessionId: string, status: string, startedAt: number): ProcessView =>
    ({ sessionId, status, startedAt }) as ProcessView;
  assert.deepEqual(
    inOrder([view('a', 'completed', 9), view('b', 'running', 1), view('c', 'running', 5)]).map(
      ({ sessionId }) => sessionId,
    ),
    ['c', 'b', 'a'],
  );
});
