/** Which sessions and agents a caller may name. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseAgent, mappedSession, requestedSession } from './session-choice.ts';
import type { HookFacts } from './template.ts';

const closed = { allowedAgentIds: undefined, allowRequestSessionKey: false, defaultSessionKey: undefined };
const open = { ...closed, allowRequestSessionKey: true };
const facts = (payload: unknown): HookFacts => ({ payload, headers: {}, query: {}, path: 'x', now: '' });

describe('a session', () => {
  it('a request may name is one of hooks', () => {
    for (const key of ['hook:a', 'hook:github:42', 'HOOK:A', ' hook:a.b@c '])
      assert.equal(requestedSession(key, closed, 'main'), key.trim().toLowerCase(), key);
    for (const key of [
      'main',
      'agent:main:main',
      'agent:main:hook:x',
      'global',
      'telegram:group:-1',
      'hook',
      'hooks:a',
      'xhook:a',
      'hook:',
      'hook::a',
      'hook:a b',
      'hook:a/../b',
      'hook:a\nb',
      'hook:x:group:1',
      'hook:x:thread:1',
      'hook:subagent:x',
      'hook:main',
      'hook:x:topic:1',
      'hook:x:dm:1',
      'hook:ａ',
      `hook:${'a'.repeat(200)}`,
    ])
      assert.throws(() => requestedSession(key, closed, 'main'), { code: 'invalid', message: /^sessionKey:/ }, key);
  });
  it('of another kind needs the owner, and its own agent', () => {
    assert.equal(requestedSession('main', open, 'main'), 'main');
    assert.equal(requestedSession('agent:work:main', open, 'work'), 'agent:work:main');
    assert.throws(() => requestedSession('agent:work:main', open, 'main'), {
      code: 'invalid',
      message: /another agent/,
    });
  });
  it('nobody names is the default one, else a new one', () => {
    assert.equal(requestedSession(undefined, { ...closed, defaultSessionKey: 'hook:all' }, 'main'), 'hook:all');
    assert.equal(requestedSession(undefined, closed, 'main'), undefined);
  });
  it("of a mapping is the owner's word; the payload fills one part of it", () => {
    const mapped = (template: string, payload: unknown): string | undefined =>
      mappedSession(template, { facts: facts(payload), rules: closed, agentId: 'main' });
    assert.equal(mapped('main', {}), 'main');
    assert.equal(mapped('hook:gh:{{id}}', { id: 42 }), 'hook:gh:42');
    assert.equal(mapped('hook:gh:{{id}}', { id: 'x:group:1' }), 'hook:gh:x-group-1');
    assert.equal(mapped('hook:gh:{{id}}', { id: '../../main\n' }), 'hook:gh:..-..-main');
    assert.equal(mapped('hook:gh:{{id}}', {}), 'hook:gh:none');
    for (const id of ['agent:main:main', 'main', 'hook:x'])
      assert.throws(() => mapped('{{id}}', { id }), { code: 'invalid' }, id);
  });
});

describe('an agent', () => {
  it('is one of those that are allowed, the default one included', () => {
    assert.equal(chooseAgent(undefined, closed, 'main'), 'main');
    assert.equal(chooseAgent('Work', { ...closed, allowedAgentIds: ['work'] }, 'main'), 'work');
    assert.equal(chooseAgent('any', { ...closed, allowedAgentIds: ['*'] }, 'main'), 'any');
    for (const [wanted, allowed] of [
      ['work', []],
      [undefined, ['work']],
      ['main', ['work']],
    ] as const)
      assert.throws(() => chooseAgent(wanted, { ...closed, allowedAgentIds: [...allowed] }, 'main'), {
        code: 'invalid',
        message: /allowedAgentIds/,
      });
  });
});
