import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note } from '../../../core/understanding.ts';
import { echoOf } from './echo.ts';

const said = (text: string): Note => ({ kind: 'audio', attachment: 0, text, provider: 'p', model: 'm' });

test('T126: what somebody said stays what they said, dollar signs and all', () => {
  assert.equal(
    echoOf([said("it costs $& or $1 or $$ or $' {transcript}")], {
      echoTranscript: true,
      echoFormat: '📝 "{transcript}"',
    }),
    '📝 "it costs $& or $1 or $$ or $\' {transcript}"',
  );
});

test('no echo when it is off, or nobody spoke', () => {
  assert.equal(echoOf([said('hi')], { echoTranscript: false, echoFormat: '{transcript}' }), undefined);
  assert.equal(
    echoOf([{ kind: 'image', attachment: 0, text: 'x', provider: 'p', model: 'm' }], {
      echoTranscript: true,
      echoFormat: '{transcript}',
    }),
    undefined,
  );
});
