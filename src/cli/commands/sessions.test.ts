/** What the terminal says of sessions, asked of a gateway that is played: no list ends in silence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../command.ts';
import { fakeTerminal, type Answers } from '../fake.ts';
import { sessionsList, sessionsShow } from './sessions.ts';

async function run(
  command: Run,
  answers: Answers,
  { args = [], flags = {} }: { args?: string[]; flags?: Record<string, string | number | true> } = {},
) {
  const io = fakeTerminal({ answers });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const given = {
    has: (name: string) => name in flags,
    text: (name: string) => flags[name] as string | undefined,
    number: (name: string) => flags[name] as number | undefined,
    list: () => [],
  };
  await command({ args, flags: given, io, gateway: async () => link });
  return { io, out: io.lines.join('\n') };
}

test('sessions list says where the next page begins', async () => {
  const sessions = [{ key: 'agent:main:main', updatedAt: 1, displayName: 'Ana' }];
  const { io, out } = await run(
    sessionsList,
    { 'sessions.list': { sessions, hasMore: true, nextOffset: 51 } },
    { flags: { limit: 1, offset: 50 } },
  );
  assert.match(out, /agent:main:main .* Ana$/);
  assert.deepEqual(io.errors, ['(More sessions: --offset 51)']);
  assert.deepEqual([io.requests[0]!.params.limit, io.requests[0]!.params.offset], [1, 50]);
  assert.deepEqual((await run(sessionsList, { 'sessions.list': { sessions, hasMore: false } })).io.errors, []);
});

test('sessions show says where older messages begin', async () => {
  const history = {
    sessionKey: 'agent:main:main',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 }],
    hasMore: true,
    nextOffset: 20,
  };
  const { io, out } = await run(
    sessionsShow,
    { 'sessions.resolve': { key: 'agent:main:main' }, 'chat.history': history },
    { args: ['main'] },
  );
  assert.match(out, /hi$/);
  assert.deepEqual(io.errors, ['(Older messages: --offset 20)']);
});
