/** `canvas …` on the command line, against a fake gateway. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeTerminal, type Answers } from '../../cli/fake.ts';
import type { Run } from '../../cli/command.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { textMessages } from './check/read-jsonl.ts';
import { link, list, push, reset } from './commands.ts';

async function run(command: Run, flags: Record<string, string | true>, answers: Answers) {
  const io = fakeTerminal({ answers });
  const gateway = await io.connect({ env: io.env(), timeoutMs: 1 });
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === 'string' ? value : undefined;
  };
  await command({
    args: [],
    flags: { has: (name) => name in flags, text, number: () => undefined, list: () => [] },
    io,
    gateway: async () => gateway,
  });
  return { io, out: io.lines.join('\n'), err: io.errors.join('\n') };
}
const pushed = {
  ok: true,
  sessionKey: 'agent:main:main',
  version: '0.8',
  messages: 2,
  surfaces: ['main'],
  warnings: ['x'],
  viewers: 0,
};

test('push sends a text as two messages, says so, and where the canvas is', async () => {
  const { io, out, err } = await run(push, { text: 'hi' }, { 'a2ui.push': pushed });
  assert.deepEqual(io.requests, [{ method: 'a2ui.push', params: { jsonl: textMessages('hi') } }]);
  assert.equal(out, 'canvas a2ui push ok (v0.8, 2 message(s))');
  assert.match(err, /Warning: x\n.*canvas link/);
});

test('push reads a file, and wants exactly one of --jsonl and --text', async () => {
  await using dir = await tempDir('canvas');
  const file = join(dir.path, 'a.jsonl');
  await writeFile(file, textMessages('from a file'));
  const { io } = await run(push, { jsonl: file, session: 'agent:main:x' }, { 'a2ui.push': { ...pushed, viewers: 1 } });
  assert.deepEqual(io.requests[0]?.params, { jsonl: textMessages('from a file'), sessionKey: 'agent:main:x' });
  await assert.rejects(run(push, {}, {}), /either --jsonl <file> or --text <text>/);
  await assert.rejects(run(push, { text: 'a', jsonl: 'b' }, {}), /either --jsonl/);
  await assert.rejects(run(push, { jsonl: join(dir.path, 'none') }, {}), /File not found/);
});

test('reset, list and link say what came of it', async () => {
  const cleared = { ok: true, sessionKey: 'agent:main:main', surfaces: ['a', 'b'] };
  assert.equal((await run(reset, {}, { 'a2ui.reset': cleared })).out, 'canvas a2ui reset ok (a, b)');
  assert.equal(
    (await run(reset, {}, { 'a2ui.reset': { ...cleared, surfaces: [] } })).out,
    'canvas a2ui reset ok (it was empty)',
  );
  assert.equal((await run(list, {}, { 'a2ui.list': { canvases: [] } })).out, 'No canvas holds a surface.');
  const one = { sessionKey: 'agent:main:main', surfaces: 1, updatedAt: 0, viewers: 2 };
  assert.match(
    (await run(list, {}, { 'a2ui.list': { canvases: [one] } })).out,
    /agent:main:main +1 surface +2 viewers +1970/,
  );
  const linked = await run(link, { renew: true }, { 'a2ui.link': { path: '/__clawdbot__/a2ui/t/' } });
  assert.match(linked.out, /^http:\/\/.*\/__clawdbot__\/a2ui\/t\/$/);
  assert.deepEqual(linked.io.requests[0]?.params, { renew: true });
});
