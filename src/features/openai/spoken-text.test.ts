/** What callers of the OpenAI endpoints hear: no directive, in no delta, however the text is cut. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noUsage } from '../../core/transcript.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import { createSpokenText } from './spoken-text.ts';

type Done = Extract<TurnOutcome, { kind: 'done' }>;
const done = (text: string, rest: Partial<Done> = {}): Done => ({ kind: 'done', text, usage: noUsage, ...rest });

function heard(pieces: readonly string[], outcome: Done = done(pieces.join(''))): { text: string; deltas: string[] } {
  const deltas: string[] = [];
  const spoken = createSpokenText((delta) => deltas.push(delta));
  for (const delta of pieces) spoken.observe({ type: 'text', delta });
  return { text: spoken.finish(outcome), deltas };
}

const ANSWERS: readonly (readonly [written: string, text: string])[] = [
  ['Hello world.\n\nBye. ', 'Hello world.\n\nBye. '],
  ['[[reply_to_current]] Hello', 'Hello'],
  ['Hello [[audio_as_voice]] world', 'Hello world'],
  ['Here it is:\nMEDIA:./chart.png\n\nDone.', 'Here it is:\n\nDone.'],
  ['A [embed ref="cv_1" title="T" /] B', 'A B'],
  ['Code: `[[reply_to_current]]` and [[ -f x ]]', 'Code: `[[reply_to_current]]` and [[ -f x ]]'],
  ['My MEDIA is here [1] and [e', 'My MEDIA is here [1] and [e'],
  ['NO_REPLY', ''],
  ['NO_REPLY\nMEDIA:./a.png', ''],
  ['\n\nHi [[reply_to:7]] there', '\n\nHi there'],
];

describe('the text of an answer', () => {
  for (const [written, text] of ANSWERS)
    it(`${JSON.stringify(written)} is heard as ${JSON.stringify(text)} over every split`, () => {
      assert.equal(heard([written]).text, text);
      assert.equal(heard([...written]).text, text);
      for (let at = 0; at <= written.length; at++) {
        const { text: whole, deltas } = heard([written.slice(0, at), written.slice(at)]);
        assert.equal(whole, text);
        assert.equal(deltas.join(''), text);
      }
    });

  it('names the files that people got, and why others were not sent', () => {
    const files = [{ id: 'a', name: 'chart.png', mime: 'image/png', size: 3 }];
    const written = 'See.\nMEDIA:./chart.png\nMEDIA:/etc/passwd';
    const shown = { text: 'See.\n(passwd was not sent: only files of the workspace can be.)', files };
    const { text, deltas } = heard([...written], done(written, { shown }));
    assert.equal(text, `${shown.text}\n(chart.png is attached in the Control UI.)`);
    assert.equal(deltas.join(''), text);
  });

  it('is what a tool said in the chat, where the answer repeats it', () => {
    const outcome = done('Sent.', { shown: { text: '', files: [] }, told: [{ text: 'Sent.', files: [] }] });
    assert.equal(heard([], outcome).text, 'Sent.');
  });

  it('streams a long text with a directive at its start without parsing it again for each word', () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `w${at} `);
    const { text, deltas } = heard(['[[reply_to_current]] ', ...words]);
    assert.equal(text, words.join('').trimEnd());
    assert.ok(deltas.length < 1000, String(deltas.length));
  });
});
