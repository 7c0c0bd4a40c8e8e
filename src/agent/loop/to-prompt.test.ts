// Conversion of a conversation for a vendor: pairs, ids, pictures, and blocks of other models.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '../../core/transcript.ts';
import { assistant, rolesOf, toolCall, toolResult, user } from '../../testing/loop-fixture.ts';
import { createCallIds, idRuleFor, STRICT } from './call-ids.ts';
import { toPrompt, type PromptTarget } from './to-prompt.ts';

const same: PromptTarget = { provider: 'fake', modelId: 'scripted', api: 'openai-responses', images: true };
const write = (messages: readonly Message[], target: Partial<PromptTarget> = {}): LanguageModelV4Prompt =>
  toPrompt({ system: '', messages, target: { ...same, ...target } });
const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/jpeg' } as const;

test('thinking goes back to the model that thought it, with its signature; another reads it as text', () => {
  const messages = [
    user('q'),
    assistant([
      { type: 'thinking', thinking: 'hm', meta: { anthropic: { signature: 's' } } },
      { type: 'text', text: 'a' },
    ]),
  ];
  assert.deepEqual(write(messages)[1]!.content, [
    { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'a' },
  ]);
  assert.deepEqual(write(messages, { modelId: 'other' })[1]!.content, [
    { type: 'text', text: 'hm' },
    { type: 'text', text: 'a' },
  ]);
});

test('redacted thinking is dropped for another model, kept for its own', () => {
  const messages = [
    user('q'),
    assistant([
      { type: 'thinking', thinking: '', meta: { anthropic: { redactedData: 'x' } } },
      { type: 'text', text: 'a' },
    ]),
  ];
  assert.equal(write(messages)[1]!.content.length, 2);
  assert.equal(write(messages, { provider: 'other' })[1]!.content.length, 1);
});

test('an answer that was cut off keeps its text alone', () => {
  const cut = assistant(
    [{ type: 'thinking', thinking: 'x', meta: {} }, { type: 'text', text: 'Once' }, toolCall('1')],
    { stopReason: 'aborted' },
  );
  assert.deepEqual(write([user('q'), cut, toolResult('1'), user('go on')])[1], {
    role: 'assistant',
    content: [{ type: 'text', text: 'Once' }],
  });
  assert.equal(
    rolesOf(write([user('q'), assistant([toolCall('1')], { stopReason: 'error' }), user('again')])),
    'user user',
  );
});

test('T228 a call without a result gets one, a result without a call goes', () => {
  const prompt = write([
    user('q'),
    assistant([toolCall('1'), toolCall('2')]),
    toolResult('2', 'two'),
    toolResult('9'),
    user('?'),
  ]);
  assert.equal(rolesOf(prompt), 'user assistant tool user');
  assert.deepEqual(prompt[2]!.content, [
    {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'look',
      output: { type: 'error-text', value: 'No result provided' },
    },
    { type: 'tool-result', toolCallId: '2', toolName: 'look', output: { type: 'text', value: 'two' } },
  ]);
});

test('pictures of tools: in the result where it can hold them, after it elsewhere, a note for the blind', () => {
  const messages = [
    user('q'),
    assistant([toolCall('1')]),
    { ...toolResult('1', 'see'), content: [{ type: 'text' as const, text: 'see' }, image] },
  ];
  assert.match(JSON.stringify(write(messages)[2]), /"type":"content".*image\/png/);
  const completions = write(messages, { api: 'openai-completions' });
  assert.equal(rolesOf(completions), 'user assistant tool user');
  assert.doesNotMatch(JSON.stringify(completions[2]), /image\/png/);
  assert.match(JSON.stringify(completions[3]), /image\/png/);
  const blind = write(messages, { images: false });
  assert.doesNotMatch(JSON.stringify(blind), /iVBOR/);
  assert.match(JSON.stringify(blind), /cannot see/);
});

test('nothing empty is sent, and the person speaks first', () => {
  const prompt = write([
    assistant([{ type: 'text', text: 'a note' }], { stopReason: 'injected' }),
    { ...user(''), content: [] },
    assistant([{ type: 'text', text: ' ' }]),
  ]);
  assert.equal(rolesOf(prompt), 'user assistant user');
  assert.match(JSON.stringify(prompt[2]), /empty message/);
});

test('arguments that are no object are sent as one', () => {
  assert.match(
    JSON.stringify(write([user('q'), assistant([toolCall('1', 'look', '{"bro')])])[1]),
    /"input":\{"input":"\{\\"bro"\}/,
  );
});

test('only Anthropic gets cache markers', () => {
  const marked = toPrompt({
    system: 's',
    messages: [user('a'), user('b')],
    target: { ...same, api: 'anthropic-messages' },
  });
  assert.deepEqual(
    marked.map((message) => message.providerOptions !== undefined),
    [true, false, true],
  );
  assert.doesNotMatch(JSON.stringify(write([user('a')])), /cacheControl/);
});

test('T220 ids: kept where they fit, strict and without collision where not, stable as the conversation grows', () => {
  const long = `call_${'x'.repeat(60)}|fc_1`;
  const next = createCallIds(STRICT);
  const ids = ['ok1', 'call_1', 'call-1', long, `${long}2`, 'ok1', ''].map(next);
  assert.equal(ids[0], 'ok1');
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9]{1,40}$/);
  const again = createCallIds(STRICT);
  assert.deepEqual(['ok1', 'call_1'].map(again), ids.slice(0, 2));
  const nine = createCallIds(idRuleFor({ provider: 'mistral' }));
  for (const raw of ['a', long, 'call_1', 'abcdefghi']) assert.match(nine(raw), /^[A-Za-z0-9]{9}$/);
});

const ids = fc.constantFrom('1', '2', 'call_0', 'a|b', '');
const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('thinking' as const), thinking: fc.string() }),
    ids.map((id) => toolCall(id)),
  ),
  { maxLength: 4 },
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.string().map(user),
  fc
    .tuple(
      content,
      fc.constantFrom('stop', 'toolUse', 'length', 'aborted', 'error', 'injected') as fc.Arbitrary<'stop'>,
    )
    .map(([blocks, stopReason]) => assistant(blocks, { stopReason })),
  ids.map((id) => toolResult(id)),
);

test('whatever the history, no call and no result is ever sent alone', () => {
  const targets = fc.record({
    api: fc.constantFrom(
      'openai-completions',
      'openai-responses',
      'anthropic-messages',
      'google-generative-ai',
      undefined,
    ),
    modelId: fc.constantFrom('scripted', 'other'),
    images: fc.boolean(),
  }) as fc.Arbitrary<Partial<PromptTarget>>;
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 12 }), targets, (messages, target) => {
      const prompt = write(messages, target);
      const used = new Set<string>();
      for (const [index, message] of prompt.entries()) {
        if (message.role === 'assistant') assert.ok(message.content.length > 0);
        const called =
          message.role === 'assistant'
            ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
            : [];
        const next = prompt[index + 1];
        const answered =
          next?.role === 'tool'
            ? next.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
            : [];
        if (message.role === 'assistant') assert.deepEqual(answered, called);
        if (message.role === 'tool') assert.equal(prompt[index - 1]?.role, 'assistant');
        for (const id of called) assert.equal(used.has(id), false);
        for (const id of called) used.add(id);
      }
      if (prompt.length) assert.equal(prompt[0]!.role, 'user');
    }),
    { numRuns: 500 },
  );
});
