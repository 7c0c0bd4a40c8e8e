/** `pairing`, `route explain` and `access explain` as a person uses them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { createPairingStore } from '../../pipeline/access/pairing-store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import type { Run } from '../command.ts';
import { fakeTerminal, type Answers } from '../fake.ts';
import { accessExplain } from './access-explain.ts';
import { pairingApprove, pairingList, pairingRevoke } from './pairing.ts';
import { routeExplain } from './route-explain.ts';

interface Typed {
  readonly args?: string[];
  readonly flags?: Record<string, string | number | true>;
  readonly vars?: Record<string, string>;
}

async function run(command: Run, answers: Answers | undefined, { args = [], flags = {}, vars = {} }: Typed = {}) {
  const io = fakeTerminal(present({ answers, vars }));
  const given = {
    has: (name: string) => name in flags,
    text: (name: string) => flags[name] as string | undefined,
    number: (name: string) => flags[name] as number | undefined,
    list: () => [],
  };
  const code = await command({
    args,
    flags: given,
    io,
    gateway: () =>
      answers
        ? io.connect({ env: io.env(), timeoutMs: 1 })
        : Promise.reject(new AppError('network', 'No gateway answers.')),
  });
  return { code, io, out: io.lines.join('\n') };
}

/** Made when it is needed: the suite may run for minutes before it gets here. */
const asking = () => ({
  channel: 'pipe',
  accountId: 'default',
  id: 'u7',
  code: 'ABCDEFGH',
  name: 'Ann',
  createdAtMs: 1,
  lastSeenAtMs: 1,
  expiresAtMs: Date.now() + 59.5 * 60_000,
});

test('pairing list and approve speak with the gateway', async () => {
  const request = asking();
  const { out } = await run(pairingList, { 'channel.pairing.list': { pending: [request] } });
  assert.match(out, /^CHANNEL +CODE +ID +NAME +MINUTES LEFT\npipe +ABCDEFGH +u7 +Ann +60\n/);
  const approved = await run(
    pairingApprove,
    { 'channel.pairing.approve': { request } },
    { args: ['pipe', 'ABCDEFGH'] },
  );
  assert.deepEqual(
    [approved.out, approved.io.requests[0]!.params],
    [
      'Ann (u7) may write to you on pipe in direct chats, and was notified. Groups are not affected.',
      { channel: 'pipe', code: 'ABCDEFGH' },
    ],
  );
  const odd = { ...request, name: 'Ann\u001b[2K\u202ecilA' };
  assert.match(
    (await run(pairingList, { 'channel.pairing.list': { pending: [odd] } })).out,
    /Ann⟨U\+001B⟩\[2K⟨U\+202E⟩cilA/,
    'a stranger writes nothing of their own onto the screen',
  );
  assert.equal((await run(pairingList, { 'channel.pairing.list': { pending: [] } })).out, 'No pairing requests.');
});

test('without a gateway they work on the files and say so', async () => {
  await using dir = await tempDir('pairing-cli');
  const vars = { HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path };
  const store = createPairingStore({ dir: join(dir.path, 'credentials'), log: silentLog, now: Date.now });
  const { code } = (await store.request('pipe', { id: 'u7' }))!;
  const { out, io } = await run(pairingApprove, undefined, { args: ['pipe', code], vars });
  assert.match(
    out,
    /^Sender \(u7\) may write to you on pipe in direct chats; they were not notified, because no gateway is running\./,
  );
  assert.match(io.errors[0]!, /No gateway is running/);
  assert.deepEqual(JSON.parse(await readFile(join(dir.path, 'credentials/pipe-allowFrom.json'), 'utf8')).allowFrom, [
    'u7',
  ]);
  assert.match((await run(pairingList, undefined, { args: ['pipe'], vars })).out, /Approved:\nu7 /);
  await assert.rejects(
    run(pairingApprove, undefined, { args: ['pipe', code], vars }),
    /No pending request with that code/,
  );
  assert.deepEqual(
    [
      (await run(pairingRevoke, undefined, { args: ['pipe', 'u7'], vars })).code,
      (await run(pairingRevoke, undefined, { args: ['pipe', 'u7'], vars })).code,
    ],
    [0, 1],
  );
  await assert.rejects(
    run(pairingList, undefined, { vars, flags: { url: 'ws://elsewhere' } }),
    /No gateway answers/,
    'another machine is not this one',
  );
});

const route = {
  agentId: 'work',
  sessionKey: 'agent:work:pipe:group:g1',
  matchedBy: 'peer',
  replyTo: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g1' } },
};
const explained = {
  route,
  bindings: [
    {
      path: 'bindings[0]',
      agentId: 'work',
      matches: true,
      chosen: true,
      why: 'The chat matches, and no more specific binding does.',
    },
    {
      path: 'bindings[1]',
      agentId: 'main',
      matches: false,
      chosen: false,
      why: 'It is for the account x, and the message came to default.',
    },
  ],
  sessionKeys: [route.sessionKey],
};

test('route explain shows the way and what each binding says', async () => {
  const { out, io } = await run(
    routeExplain,
    { 'route.explain': explained },
    { flags: { channel: 'pipe', kind: 'group', chat: 'g1', roles: 'r1, r2' } },
  );
  assert.deepEqual(io.requests[0]!.params, { channel: 'pipe', chatKind: 'group', chatId: 'g1', roles: ['r1', 'r2'] });
  assert.equal(
    out,
    [
      'Messages from pipe, account default, group g1 go to:',
      '  agent    work (by peer)',
      '  session  agent:work:pipe:group:g1',
      '',
      'Bindings for pipe:',
      '  →  bindings[0]  work  The chat matches, and no more specific binding does.',
      '  ✗  bindings[1]  main  It is for the account x, and the message came to default.',
    ].join('\n'),
  );
  await assert.rejects(run(routeExplain, { 'route.explain': explained }), /Set --channel/);
  await assert.rejects(
    run(routeExplain, { 'route.explain': explained }, { flags: { channel: 'pipe', kind: 'crowd' } }),
    /--kind is "crowd"/,
  );
});

test('access explain says why, of a message that might come and of those that did', async () => {
  const steps = [
    { step: 'dm-policy', ok: true, setting: 'channels.pipe.dmPolicy', detail: 'Only listed senders may write.' },
    {
      step: 'allowlist',
      ok: false,
      setting: 'channels.pipe.allowFrom',
      detail: 'Sender u9 is not in channels.pipe.allowFrom.',
    },
  ];
  const nobody = {
    requester: { standing: 'nobody', kind: 'nobody', ids: [], rights: [], sessionKey: 'agent:main:main', hands: [] },
    reaches: [{ kind: 'session', verb: 'read', reach: 'nowhere' }],
  };
  const { out } = await run(
    accessExplain,
    {
      'access.explain': {
        ...explained,
        allowed: false,
        reason: 'sender u9 is not in channels.pipe.allowFrom',
        commands: false,
        steps,
        ...nobody,
      },
    },
    { flags: { channel: 'pipe', sender: 'u9' } },
  );
  assert.match(
    out,
    /^The message would not be answered: sender u9 is not in channels\.pipe\.allowFrom\.\n\n {2}✓ {2}dm-policy .*\n {2}✗ {2}allowlist +channels\.pipe\.allowFrom +Sender u9/,
  );
  assert.match(
    out,
    /Sender:\n {2}asks +nobody.* \(nobody\)[\s\S]*Allowed actions:\nTHING +EVERYWHERE[^\n]*\nsession +read/,
  );
  const seen = {
    runId: 'r',
    channel: 'pipe',
    accountId: 'default',
    chat: { kind: 'direct', id: 'u9' },
    sender: { id: 'u9', name: 'Bob' },
    at: 0,
    state: 'declined',
    reason: 'sender u9 is not in channels.pipe.allowFrom',
    sessionKey: 'agent:main:main',
    agentId: 'main',
    text: 'hi',
    steps,
  };
  const last = await run(
    accessExplain,
    { 'access.recent': { messages: [seen] } },
    { flags: { last: true, channel: 'pipe' } },
  );
  assert.match(
    last.out,
    /^1970-01-01T00:00:00\.000Z {2}pipe, account default, direct u9\nFrom Bob \(u9\): hi\nDeclined: sender u9 .*\. Session agent:main:main\.\n {2}✓ /,
  );
  assert.deepEqual(last.io.requests[0]!.params, { limit: 5, channel: 'pipe' });
  assert.equal(
    (await run(accessExplain, { 'access.recent': { messages: [] } }, { flags: { refused: true } })).out,
    'No refused messages.',
  );
});
