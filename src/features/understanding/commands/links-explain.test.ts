import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { fakeTerminal } from '../../../cli/fake.ts';
import { linksExplain } from './links-explain.ts';

const resolve = async (name: string) =>
  name.endsWith('.example')
    ? [{ address: name === 'inside.example' ? '10.0.0.8' : '93.184.216.34', family: 4 as const }]
    : [];
const models = [
  { command: 'summarise', args: ['--url', '{{LinkUrl}}', '{{Body}}'] },
  { command: 'link-understand', args: ['{{LinkUrl}}'] },
  { command: 'not-here' },
];

async function explain(
  t: TestContext,
  text: string,
  { config = {}, flags = {} }: { config?: unknown; flags?: Record<string, string | true> } = {},
) {
  const dir = await tempDir();
  t.after(() => dir[Symbol.asyncDispose]());
  await mkdir(join(dir.path, '.clawdbot'), { mode: 0o700 });
  await writeFile(join(dir.path, '.clawdbot/clawdbot.json'), JSON.stringify(config), { mode: 0o600 });
  await writeFile(join(dir.path, 'summarise'), `#!/bin/sh\ntouch ${dir.path}/ran\n`);
  await chmod(join(dir.path, 'summarise'), 0o755);
  const io = fakeTerminal({ vars: { HOME: dir.path, PATH: dir.path } });
  const given = {
    has: (name: string) => name in flags,
    text: (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined),
    number: () => undefined,
    list: () => [],
  };
  await linksExplain(
    { args: [text], flags: given, io, gateway: () => Promise.reject(new Error('not needed')) },
    resolve,
  );
  return { dir: dir.path, out: io.lines.join('\n'), err: io.errors.join('\n') };
}

test('links explain says for each address whether it is detected, what the guard says and what would run', async (t) => {
  const { out, dir } = await explain(
    t,
    'a b https://a.example `https://code.example` https://inside.example https://nowhere.test',
    { config: { tools: { links: { models } } } },
  );
  assert.match(
    out,
    /^Link reading is on\. Scope: allow \(the default\)\.\n\nhttps:\/\/a\.example\n {2}detected {2}yes\n {2}guard {5}allows it \(93\.184\.216\.34\)\n/,
  );
  assert.ok(out.includes(`  runs      ${dir}/summarise --url https://a.example "a b https://a.example `), out);
  assert.match(
    out,
    / {2}else {6}\S+node\S* \S+\/bin\/link-understand\.mjs https:\/\/a\.example\n {2}else {6}not-here {3}\(not found\)/,
  );
  assert.match(out, /https:\/\/code\.example\n {2}detected {2}no: inside code/);
  assert.match(
    out,
    /https:\/\/inside\.example\n {2}detected {2}yes\n {2}guard {5}refuses it: .*10\.0\.0\.8.*\n {2}not read {2}the guard refuses it/,
  );
  assert.match(out, /nowhere\.test does not resolve/);
});

test('links explain counts maxLinks over what the guard allows', async (t) => {
  const { out } = await explain(t, 'https://inside.example https://a.example https://b.example', {
    config: { tools: { links: { models, maxLinks: 1 } } },
  });
  assert.match(out, /https:\/\/b\.example\n.*\n.*\n {2}not read {2}the maxLinks limit \(1\) is reached before it$/);
});

test('T47 T48 links explain goes by agent, channel, kind of chat and session', async (t) => {
  const config = {
    tools: {
      links: { models, scope: { rules: [{ action: 'deny', match: { channel: 'discord', chatType: 'group' } }] } },
    },
    agents: { list: [{ id: 'main' }, { id: 'quiet', tools: { links: { enabled: false } } }] },
  };
  const said = async (flags: Record<string, string>) =>
    (await explain(t, 'https://a.example', { config, flags })).out.split('\n')[0];
  assert.equal(await said({}), 'Link reading is on. Scope: allow (the default).');
  assert.equal(await said({ channel: 'discord', 'chat-type': 'group' }), 'Link reading is on. Scope: deny (rule 1).');
  assert.match((await said({ agent: 'quiet' }))!, /^Link reading is off/);
  assert.match((await said({ session: 'agent:quiet:main' }))!, /^Link reading is off/);
  await assert.rejects(explain(t, 'x', { config, flags: { 'chat-type': 'room' } }), {
    code: 'invalid',
    message: /"room"; use direct, group or channel/,
  });
  await assert.rejects(explain(t, 'x', { config, flags: { agent: 'ghost' } }), {
    code: 'not_found',
    message: /No agent "ghost".*main, quiet/,
  });
});

test('links explain --json is the whole answer; without configuration links are off', async (t) => {
  const off = JSON.parse((await explain(t, 'https://a.example', { flags: { json: true } })).out);
  assert.deepEqual(off, {
    enabled: false,
    links: [
      {
        url: 'https://a.example',
        detected: true,
        why: 'links are off',
        guard: { ok: true, addresses: ['93.184.216.34'] },
        runs: [],
      },
    ],
  });
  assert.equal((await explain(t, 'nothing here')).out.split('\n').at(-1), 'No http or https address in the text.');
});
