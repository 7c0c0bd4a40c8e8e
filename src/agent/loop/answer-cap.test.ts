/** Answers over the size limit: what arrived is kept, with a notice, and nothing after it is processed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { textOf } from '../../core/transcript.ts';
import { candidate, play, textDeltas, tool } from '../../testing/loop-fixture.ts';
import {
  call,
  calls,
  finish,
  says,
  scriptedModel,
  text,
  thinking,
  type ScriptedPart,
} from '../../testing/scripted-model.ts';

const limits = { answerChars: 1000 };
const CAPPED = '⚠️ The answer was stopped here: it exceeded 1000 characters (agents.defaults.answerMaxChars).';
const endless = (...parts: readonly ScriptedPart[]): readonly ScriptedPart[] => [...parts, { type: 'hang' }];

test('text that does not end is ended with what there is and a sentence, which stands in the transcript too', async () => {
  const { outcome, events, messages } = await play([endless(...text('a'.repeat(900), 'b'.repeat(200)))], { limits });
  assert.equal(outcome.kind === 'done' && outcome.text, `${'a'.repeat(900)}\n\n${CAPPED}`);
  assert.equal(outcome.kind === 'done' && outcome.stopReason, 'length');
  assert.equal(textDeltas(events), `${'a'.repeat(900)}\n\n${CAPPED}`);
  assert.deepEqual(
    [messages.length, textOf(messages[0]!.content), messages[0]!.stopReason],
    [1, `${'a'.repeat(900)}\n\n${CAPPED}`, 'length'],
  );
});

test('thinking and the arguments of a call count as well, and no call of such an answer runs', async () => {
  let ran = 0;
  const inspect = tool('look', async () => {
    ran++;
    return { content: [], isError: false };
  });
  const [whole] = [calls(call('1', 'look')).filter(({ type }) => type === 'tool-call')];
  for (const parts of [
    thinking('t'.repeat(1001)),
    [...text('so'), ...whole!, { type: 'tool-input-delta', id: '2', delta: '9'.repeat(1001) } as const],
  ]) {
    const { outcome } = await play([endless(...parts)], { limits, tools: [inspect] });
    assert.ok(outcome.kind === 'done' && outcome.text.endsWith(CAPPED), JSON.stringify(outcome));
  }
  assert.equal(ran, 0);
});

test('lines are counted whatever they hold', async () => {
  const { outcome } = await play([endless(...text(...Array.from({ length: 101 }, () => '\n'.repeat(1000))))]);
  assert.ok(outcome.kind === 'done' && outcome.text.endsWith('⚠️ The answer was stopped here: it passed 100000 lines.'));
});

test('an answer right at the limit is an answer', async () => {
  const { outcome } = await play([[...text('a'.repeat(1000)), finish()]], { limits });
  assert.deepEqual(
    [outcome.kind === 'done' && outcome.text.length, outcome.kind === 'done' && outcome.stopReason],
    [1000, 'stop'],
  );
});

test(
  'a server that does not stop ends the answer the same way; one that said nothing by then gives way to the ' +
    'next model',
  async () => {
    const error = new AppError('too_large', 'The server sent more than 64 MB as one answer; the rest was not read.');
    const said = await play([[...text('half'), { type: 'break', error }]]);
    assert.equal(
      said.outcome.kind === 'done' && said.outcome.text,
      'half\n\n⚠️ The answer was stopped here: the server sent more than 64 MB as one answer; the rest was not read.',
    );
    const models = [
      scriptedModel([[...thinking('hm'), { type: 'break', error }]]),
      scriptedModel([says('here')]),
    ] as const;
    const next = await play([], { candidates: models.map((model) => candidate(model)) });
    assert.deepEqual(
      [next.outcome.kind === 'done' && next.outcome.text, models.map(({ requests }) => requests.length)],
      ['here', [1, 1]],
    );
  },
);
