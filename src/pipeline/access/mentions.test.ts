/** Who is meant in a group. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mentionPatterns, mentionsAgent, type MentionRules } from './mentions.ts';
import { typed } from '../../core/saying.ts';

const none: MentionRules = { own: undefined, general: undefined, name: undefined, emoji: undefined };
const meant = (text: string, rules: Partial<MentionRules>): boolean =>
  mentionsAgent(typed(text), mentionPatterns({ ...none, ...rules }));

it('goes by the name, as a word, in any case, with or without @, also where marks hide it', () => {
  for (const text of ['Clawd, hello', 'hey @clawd', 'was CLAWD there?', 'cl\u200Bawd?'])
    assert.ok(meant(text, { name: 'Clawd' }), text);
  for (const text of ['clawdia', 'hello', '']) assert.ok(!meant(text, { name: 'Clawd' }), text);
  assert.ok(meant('ask Jürgen', { name: 'Jürgen' }));
  assert.ok(meant('🦞 look', { emoji: '🦞' }));
  assert.ok(meant('a.b?', { name: 'a.b' }) && !meant('axb', { name: 'a.b' }));
});

it("lets written patterns replace the name, the agent's own before the general ones, even when there are none", () => {
  assert.ok(meant('hey bot', { general: ['\\bbot\\b'], name: 'Clawd' }));
  assert.ok(!meant('hey clawd', { general: ['\\bbot\\b'], name: 'Clawd' }));
  assert.ok(!meant('hey bot', { own: [], general: ['bot'] }));
});

it('repairs a backspace that meant a word boundary, and skips what is no pattern', () =>
  assert.ok(meant('a bot!', { general: ['(', '\bbot\b'] })));
it('names nobody when nothing is known', () => assert.ok(!meant('anything', {})));
