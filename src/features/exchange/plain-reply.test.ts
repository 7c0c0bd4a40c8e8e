// Answers without thoughts and written-down calls, and the words that mean silence.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWord, plainReply } from './plain-reply.ts';

describe('an answer for another session', () => {
  it('(T191) has no thoughts and no calls that were only written down', () => {
    for (const [text, plain] of [
      ['<think>secret</think>Hello', 'Hello'],
      ['a <thinking>b <think>c</think> d</thinking> e', 'a  e'],
      ['<think>never closed', ''],
      ['Hi <THINK x="1">b</Think>!', 'Hi !'],
      ['<final>Done.</final>', 'Done.'],
      ['<minimax:tool_call><invoke name="x"><parameter name="a">1</parameter></invoke></minimax:tool_call>ok', 'ok'],
      ['ok<function_calls><invoke name="bash">rm</invoke></function_calls>', 'ok'],
      ['</think>rest', 'rest'],
      ['[Tool Call: bash (ID: c1)]\nArguments: {\n  "command": "ls"\n}\nIt is done.', 'It is done.'],
      ['[Tool Call: read (ID: 1)]\n\nText stays.', 'Text stays.'],
      ['[Historical context: x called y]\nYes.', 'Yes.'],
      ['NO_REPLY', ''],
      ['  **NO_REPLY**. ', ''],
    ] as const)
      assert.equal(plainReply(text), plain, text);
  });

  it('keeps what stands in code, and whatever only looks alike', () => {
    for (const text of [
      'Use `<think>` tags.',
      '```\n<think>x</think>\n```\nSee above.',
      'I <thinkpad> you',
      'a < b > c',
      '[Tool Calls] are fun',
      'Say NO_REPLY to be silent',
      'x'.repeat(10),
    ])
      assert.equal(plainReply(text), text);
  });

  it('reads a hostile text in one go: nothing takes longer than its length', () => {
    for (const piece of [
      '<think',
      '<think>',
      '<think ',
      '`',
      '```',
      '[Tool Call: ',
      'Arguments: {',
      '<invoke x',
      '{\n',
      ' \n',
    ]) {
      const text = `[Tool Call: x]\nArguments: ${piece.repeat(2_000_000 / piece.length)}`;
      // quadratic, one of them alone would take half a minute
      assert.ok(plainReply(text).length <= text.length, JSON.stringify(piece));
    }
  });

  it('is a word when there is nothing else', () => {
    for (const text of ['REPLY_SKIP', ' REPLY_SKIP\n', '`REPLY_SKIP`', '"REPLY_SKIP".', '**REPLY_SKIP** 👍'])
      assert.ok(isWord(text, 'REPLY_SKIP'), text);
    for (const text of ['', 'REPLY_SKIPPED', 'NO REPLY_SKIP', 'reply_skip', 'REPLY_SKIP é', 'REPLY SKIP'])
      assert.ok(!isWord(text, 'REPLY_SKIP'), text);
  });
});
