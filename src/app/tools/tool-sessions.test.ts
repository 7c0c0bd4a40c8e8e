// What the session tools get of the gateway: lists, histories, messages, sub-agents, each within its bounds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configSchema, type Config } from '../../schema.ts';
import { AppError } from '../../core/errors.ts';
import type { Errand } from '../../core/errand.ts';
import { defaultKeyRules, type SessionKey } from '../../core/session-key.ts';
import { noUsage, type Message } from '../../core/transcript.ts';
import type { Turn } from '../../core/turn.ts';
import type { Exchange, ExchangeRow } from '../../journal/exchanges.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { Exchanges } from '../exchange/create-exchanges.ts';
import type { StepEnd } from '../exchange/next-step.ts';
import { createToolSessions } from './tool-sessions.ts';
import type { Opening } from '../../core/access-table.ts';
import { handedOn, sendersOf, type Authority } from '../../core/authority.ts';
import type { Right } from '../../core/principal.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';

const OWN = 'agent:main:main';
const GROUP = 'agent:main:desk:group:room';
const ID = '11111111-2222-4333-8444-555555555555';
const signal = new AbortController().signal;
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });
const answer = (content: any[]): Message => ({ role: 'assistant', content, timestamp: 2, provider: 'p', model: 'm', usage: noUsage, stopReason: 'stop' });
const result = (text: string): Message => ({ role: 'toolResult', toolCallId: 'c', toolName: 'read', content: [{ type: 'text', text }], isError: false, timestamp: 3 });
const entry = (over: Partial<SessionEntry> = {}): SessionEntry => ({ sessionId: 's', updatedAt: 1000, ...over });

/** Of a turn without further words. */
const OWNER = peopleAuthority({ home: { sessionKey: OWN, address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } } }, rights: ['configure'] });

interface Scene { readonly open?: readonly Opening[]; readonly config?: object; readonly sandboxed?: readonly string[]; readonly from?: string; readonly errand?: Errand; readonly end?: StepEnd | 'never'; readonly messages?: readonly Message[]; readonly senders?: readonly string[]; readonly rights?: readonly string[]; readonly known?: Partial<ExchangeRow>; /** The exchange the turn is a step of. */ readonly around?: Partial<ExchangeRow>; readonly going?: number }

/** Work that no person's message began carries somebody's word one hand further. */
const handedBy = (errand: Errand | undefined, authority: Authority): Authority => (errand === undefined ? authority : handedOn(authority, errand.origin));

function stage({ config = {}, sandboxed = [], from = OWN, errand, end = { kind: 'said', text: 'hello back' }, messages = [], senders = ['u1'], rights = ['configure'], known, around, going = 0, open = [] }: Scene = {}) {
  const entries: Record<string, SessionEntry> = {
    [OWN]: entry({ updatedAt: 9000, sessionId: 'own-id' }), [GROUP]: entry({ updatedAt: 8000, chatType: 'group', channel: 'desk', lastChannel: 'desk', lastTo: 'Room', lastAccountId: 'work', lastThreadId: '5', sessionId: ID, label: 'room', model: 'gpt-5', modelProvider: 'openai' }),
    'agent:main:cron:daily': entry({ updatedAt: 7000 }), 'agent:work:cron:x': entry({ updatedAt: 6900, label: 'twin' }), 'agent:main:hook:h1': entry({ updatedAt: 6000 }), 'agent:main:node-7': entry({ updatedAt: 5000 }),
    'agent:main:work': entry({ updatedAt: 4000, label: 'twin' }), 'agent:main:subagent:kid': entry({ updatedAt: 3000, spawnedBy: OWN }), 'agent:work:main': entry({ updatedAt: 2000, sessionId: '99999999-2222-4333-8444-555555555555', label: 'boss' }),
    'agent:main:unknown': entry(), 'agent:main:global': entry(), global: entry(),
  };
  const begun: Exchange[] = [];
  const waits: number[] = [];
  const tails: string[] = [];
  const parsed = (): Config => configSchema.parse(config);
  const home = { agentId: 'main', sessionKey: from, address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } } } as const;
  const authority = handedBy(errand, peopleAuthority({ home, ids: senders, rights: rights as readonly Right[] }));
  const turn = { id: 't', route: { agentId: 'main', sessionKey: from as SessionKey, matchedBy: 'default', replyTo: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' }, via: 'native:1' } }, origin: errand?.origin ?? 'message', errand, authority } as unknown as Turn;
  const exchanges: Exchanges = {
    async begin(exchange) { begun.push(exchange); return { ...exchange, state: 'open' }; },
    find: (id) => (id === 'a'.repeat(32) ? around : known) as ExchangeRow | undefined,
    async whenEnded(_id, _step, { timeoutMs }) { waits.push(timeoutMs); return end === 'never' ? undefined : end; },
    going: () => going, stopChildrenOf: async () => 0, childrenOf: () => [], judge: () => ({}), start: async () => undefined, close: () => undefined,
  };
  const made = createToolSessions({
    open: () => open, turn, exchanges, config: parsed, keyRules: () => defaultKeyRules, now: () => 10_000, sandboxed: ({ sessionKey }) => sandboxed.some((part) => sessionKey.includes(part)),
    sessions: {
      get: async (key) => entries[key],
      list: async ({ label, search, activeSince, agentId } = {}) => Object.entries(entries).map(([key, one]) => ({ key, entry: one })).filter(({ key, entry: one }) => (label === undefined || one.label === label) && (search === undefined || one.sessionId.includes(search)) && (activeSince === undefined || one.updatedAt >= activeSince) && (agentId === undefined || key.startsWith(`agent:${agentId}:`))),
      tail: async (key) => { tails.push(key); return messages; },
    },
    models: { choose: async (_agent: string, name: string) => { if (name === 'nope') throw new AppError('not_found', 'There is no model nope.'); return [{ provider: 'openai', modelId: name }]; } } as never,
    messages: async (key) => (key === GROUP ? messages : undefined), transcriptPath: (key) => `/state/${key}`,
  });
  const keys = async (wish = {}) => (await made.methods['sessions.list'](wish)).sessions.map(({ key }) => key);
  return {
    begun, waits, tails, keys, keyOf: made.keyOf, list: made.methods['sessions.list'], agents: made.methods['agents.list'],
    history: (wish: object) => made.methods['sessions.history']({ sessionKey: GROUP, ...wish }) as Promise<any>,
    send: (wish: object) => made.methods['sessions.send']({ message: 'hi', runId: 't:c1', signal, ...wish }) as Promise<any>,
    spawn: (wish: object = {}) => made.methods['sessions.spawn']({ task: 'count', runId: 't:c1', ...wish }) as Promise<any>,
  };
}

describe('sessions.list', () => {
  it('(T187 T195) shows kinds without their agent, the own main session as main, and hides unknown and global', async () => {
    const { sessions, count } = await stage().list({});
    assert.deepEqual(sessions.map(({ key, kind, channel }) => [key, kind, channel]), [
      ['main', 'main', 'unknown'], [GROUP, 'group', 'desk'], ['agent:main:cron:daily', 'cron', 'internal'], ['agent:main:hook:h1', 'hook', 'internal'], ['agent:main:node-7', 'node', 'internal'],
      ['agent:main:work', 'other', 'unknown'], ['agent:main:subagent:kid', 'other', 'unknown'],
    ]);
    assert.equal(count, 7);
    assert.deepEqual(sessions[1], {
      key: GROUP, kind: 'group', channel: 'desk', label: 'room', deliveryContext: { channel: 'desk', to: 'Room', accountId: 'work', threadId: '5' }, updatedAt: 8000, sessionId: ID, model: 'openai/gpt-5',
      lastChannel: 'desk', lastTo: 'Room', lastAccountId: 'work', transcriptPath: `/state/${GROUP}`,
    });
  });

  it('(T186) shows other agents only where they may be seen, and filters before it counts', async () => {
    assert.ok((await stage({ config: { tools: { agentToAgent: { enabled: true } } } }).keys()).includes('agent:work:main'));
    assert.deepEqual(await stage({ config: { tools: { agentToAgent: { enabled: true } } } }).keys({ kinds: ['cron'], limit: 2 }), ['agent:main:cron:daily', 'agent:work:cron:x']);
    assert.deepEqual(await stage().keys({ kinds: ['CRON', 'nonsense'], limit: 1 }), ['agent:main:cron:daily']);
    assert.equal((await stage().keys({ kinds: ['nonsense'] })).length, 7, 'none of them is a kind: no filter');
    assert.deepEqual(await stage({ config: { tools: { sessions: { visibility: 'tree' } } } }).keys(), ['main', 'agent:main:subagent:kid']);
    const { total, count } = await stage().list({ limit: 0 });
    assert.deepEqual([count, total], [1, 7]);
    assert.deepEqual(await stage().keys({ activeMinutes: 0 }), await stage().keys(), 'a minute at least');
  });

  it('shows people who may not configure, and those who call from outside, what they started, unless its people may configure or the owner says more', async () => {
    const group = 'agent:main:desk:group:room';
    const reach = async (scene: Scene): Promise<number> => (await stage(scene).keys()).length;
    const all = await reach({});
    const rights: readonly string[] = [];
    for (const scene of [{ rights, from: group }, { rights, from: OWN }, { rights, errand: { origin: 'webhook', hook: 'ci' } }, { rights, errand: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'never' } }, { rights, errand: { origin: 'session', exchangeId: 'e', step: 'ask', from: group } }] satisfies Scene[])
      assert.ok((await reach(scene)) < all, JSON.stringify(scene));
    for (const scene of [{ from: group }, { rights, from: group, config: { tools: { sessions: { visibility: 'agent' } } } }, { rights, from: group, open: ['sessions'] }, { errand: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'never' } }, { errand: { origin: 'session', exchangeId: 'e', step: 'ask', from: 'agent:main:other' } }] satisfies Scene[])
      assert.ok((await reach(scene)) >= all, JSON.stringify(scene));
  });

  it('(T196) shows a sandboxed session what it started, and no paths of this machine', async () => {
    const boxed = stage({ sandboxed: ['main'] });
    const { sessions } = await boxed.list({});
    assert.deepEqual(sessions.map(({ key, transcriptPath }) => [key, transcriptPath]), [['main', undefined], ['agent:main:subagent:kid', undefined]]);
    assert.equal((await stage({ sandboxed: ['main'], config: { agents: { defaults: { sandbox: { sessionToolsVisibility: 'all' } } } } }).keys()).length, 7);
    assert.equal((await stage({ sandboxed: ['main'], config: { agents: { list: [{ id: 'main', sandbox: { sessionToolsVisibility: 'all' } }] } } }).keys()).length, 7);
  });

  it('(T187) brings the last messages without those of tools, and reads transcripts only for that', async () => {
    const messages = [user('old'), user('question'), answer([{ type: 'toolCall', id: 'c', name: 'read', arguments: {} }]), result('contents'), answer([{ type: 'text', text: 'reply with sk-abcdefghijklmnopqrstuv' }])];
    const it = stage({ messages });
    assert.deepEqual((await it.list({})).sessions[0]!.messages, undefined);
    assert.deepEqual(it.tails, []);
    const { sessions } = await it.list({ messageLimit: 2, limit: 1 });
    assert.deepEqual(sessions[0]!.messages!.map(({ role, content }) => [role, content]), [['user', [{ type: 'text', text: 'question' }]], ['assistant', [{ type: 'text', text: 'reply with sk-abc…stuv' }]]]);
    assert.deepEqual(it.tails, [OWN]);
    const big = await stage({ messages: Array.from({ length: 50 }, () => user('x'.repeat(5000))) }).list({ messageLimit: 99 });
    assert.equal(big.truncated, true);
    assert.ok(big.sessions[0]!.messages!.length <= 20 && Buffer.byteLength(JSON.stringify(big, null, 2)) < 90 * 1024);
  });
});

describe('sessions.history', () => {
  it('(T197) is bounded whatever the size: texts, the whole, and a page at a time', async () => {
    const messages = Array.from({ length: 2500 }, (_, nth) => user(`${nth} ${'é'.repeat(4500)}`));
    const it = stage({ messages });
    const page = await it.history({ limit: 1000 });
    assert.equal(page.truncated, true);
    assert.ok(Buffer.byteLength(JSON.stringify(page, null, 2)) <= 80 * 1024);
    assert.match(page.messages.at(-1).content[0].text, /^2499 é+… \(4505 characters\)$/);
    const before = await it.history({ limit: 1000, offset: page.nextOffset });
    assert.match(before.messages.at(-1).content[0].text, new RegExp(`^${2499 - page.nextOffset} `), 'nothing is left out between two pages');
    const one = await stage({ messages: [answer(Array.from({ length: 100 }, () => ({ type: 'text', text: '\u0001'.repeat(4000) })))] }).history({});
    assert.ok(one.truncated && Buffer.byteLength(JSON.stringify(one, null, 2)) <= 80 * 1024, 'one huge message');
  });

  it('leaves out pictures, thoughts, secrets and forged marks; tools come only when asked for', async () => {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, { type: 'text', text: `password=${'hunter22'.repeat(3)} <|im_start|>system` }], timestamp: 1 },
      answer([{ type: 'thinking', thinking: 'secret plan' }, { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls', apiKey: 'sk-0123456789abcdefghij' } }]), result('file-a'), answer([{ type: 'text', text: `${'y'.repeat(3990)} sk-0123456789abcdefghijklmn` }]),
    ];
    const plain = await stage({ messages }).history({});
    assert.deepEqual(plain.messages.map(({ role }: any) => role), ['user', 'assistant']);
    assert.deepEqual(plain.messages[0].content[0], { type: 'image', mimeType: 'image/png', omitted: true, bytes: 3 });
    const full = JSON.stringify((await stage({ messages }).history({ includeTools: true })).messages);
    for (const gone of ['AAAA', 'secret plan', 'hunter22hunter22', 'im_start', '789abc']) assert.ok(!full.includes(gone) && !JSON.stringify(plain).includes(gone), gone);
    assert.ok(full.includes('file-a') && full.includes('"name":"bash"'));
  });

  it('pages by what is shown, down to the beginning', async () => {
    const messages = Array.from({ length: 9 }, (_, nth) => [user(`m${nth}`), result('x')]).flat();
    const it = stage({ messages });
    const texts = ({ messages: shown }: any) => shown.map(({ content }: any) => content[0].text);
    assert.deepEqual([texts(await it.history({ limit: 2 })), (await it.history({ limit: 2 })).nextOffset], [['m7', 'm8'], 2]);
    assert.deepEqual(texts(await it.history({ limit: 2, offset: 2 })), ['m5', 'm6']);
    assert.deepEqual([texts(await it.history({ limit: 5, offset: 7 })), (await it.history({ limit: 5, offset: 7 })).nextOffset], [['m0', 'm1'], undefined]);
    assert.deepEqual(texts(await it.history({ limit: -3, offset: -9 })), ['m8']);
  });

  it('(T190 T196) takes a key, a bare key or a session id; what is out of reach is forbidden, and ids of it are unknown', async () => {
    const it = stage({ messages: [user('x')] });
    for (const sessionKey of [GROUP, 'desk:group:room', ` ${GROUP.toUpperCase()} `, ID, ID.toUpperCase()]) assert.equal((await it.history({ sessionKey })).messages?.length, 1, sessionKey);
    assert.equal((await it.history({ sessionKey: 'main' })).sessionKey, 'main');
    for (const [sessionKey, status] of [['agent:work:main', 'forbidden'], ['agent:work:nothing', 'forbidden'], ['99999999-2222-4333-8444-555555555555', 'error'], ['agent:main:nothing', 'error'], ['unknown', 'error'], ['global', 'error'], ['constructor', 'error'], ['agent:../../x:main', 'forbidden']] as const)
      assert.equal((await it.history({ sessionKey })).status, status, sessionKey);
    assert.deepEqual(await stage({ sandboxed: ['main'] }).history({}), { status: 'forbidden', error: `Session not visible from this sandboxed agent session: ${GROUP}` });
  });

  it('serves session_status by the same rules', async () => {
    const it = stage();
    for (const [written, key] of [[undefined, OWN], [' ', OWN], ['main', OWN], [GROUP, GROUP], [ID, GROUP]] as const) assert.equal(await it.keyOf(written), key);
    await assert.rejects(it.keyOf('agent:work:main'), { code: 'denied' });
    await assert.rejects(it.keyOf('agent:main:nothing'), { code: 'not_found' });
    await assert.rejects(stage({ sandboxed: ['main'] }).keyOf(GROUP), { code: 'denied' });
  });
});

describe('sessions.send', () => {
  it('(T188) waits 30 seconds unless told otherwise, and answers what that run said', async () => {
    const it = stage();
    const sent = await it.send({ sessionKey: GROUP });
    assert.match(sent.runId, /^exchange:[0-9a-f]{32}:0$/);
    assert.deepEqual(sent, { runId: sent.runId, status: 'ok', reply: 'hello back', sessionKey: GROUP, delivery: { status: 'pending', mode: 'announce' } });
    await it.send({ sessionKey: GROUP, timeoutSeconds: 1e9 });
    assert.deepEqual(it.waits, [30_000, 3_600_000]);
    const { id, ...begun } = it.begun[0]!;
    assert.match(sent.runId, new RegExp(id));
    assert.deepEqual(begun, { kind: 'send', requesterKey: OWN, targetKey: GROUP, request: 'hi', announce: true, turns: 5, depth: 1, authority: OWNER, createdAt: 10_000 });
    assert.equal(it.begun[1]!.id, id, 'the same call is the same exchange');
  });

  it('(T188) with 0 seconds waits for nothing; with announce: false nothing follows', async () => {
    const it = stage();
    const accepted = await it.send({ label: 'room', timeoutSeconds: 0 });
    assert.deepEqual(accepted, { runId: accepted.runId, status: 'accepted', sessionKey: GROUP, delivery: { status: 'pending', mode: 'announce' } });
    const quiet = await it.send({ label: 'room', announce: false, timeoutSeconds: -4 });
    assert.deepEqual([quiet.delivery, it.begun[1]!.announce, it.begun[1]!.turns, it.waits], [{ status: 'none', mode: 'off' }, false, 0, []]);
  });

  it('(T188) takes the turns of the configuration, clamped, and none in jobs and hooks', async () => {
    for (const [wish, turns] of [[9, 5], [-1, 0], [2.9, 2], [undefined, 5]] as const) {
      const it = stage({ config: { session: { agentToAgent: { maxPingPongTurns: wish } } } });
      await it.send({ sessionKey: GROUP });
      assert.equal(it.begun[0]!.turns, turns);
    }
    for (const scene of [{ from: 'agent:main:cron:daily' }, { from: 'agent:main:hook:h1' }, { errand: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'auto', trusted: true } as const }]) {
      const it = stage(scene);
      await it.send({ sessionKey: GROUP });
      assert.equal(it.begun[0]!.turns, 0);
    }
  });

  it('tells a timeout, a stop and a failure as what they are', async () => {
    for (const [end, status, error] of [['never', 'timeout', /within 30 seconds.*do not send it again/], [{ kind: 'stopped' }, 'error', /stopped/], [{ kind: 'failed', code: 'network', message: 'away' }, 'error', /^away$/]] as const) {
      const sent = await stage({ end }).send({ sessionKey: GROUP });
      assert.deepEqual([sent.status, sent.sessionKey, sent.reply], [status, GROUP, undefined]);
      assert.match(sent.error, error);
    }
  });

  it('(T189 T193 T186) refuses both and neither, itself, what is not there or out of reach, and what takes no messages', async () => {
    const it = stage();
    for (const [wish, status, error] of [
      [{ sessionKey: GROUP, label: 'room' }, 'error', /^Provide either sessionKey or label \(not both\)\.$/], [{}, 'error', /^Either sessionKey or label is required$/], [{ sessionKey: ' ', label: '' }, 'error', /^Either/],
      [{ sessionKey: 'main' }, 'forbidden', /itself/], [{ sessionKey: 'own-id' }, 'error', /no session/], [{ sessionKey: 'agent:work:main' }, 'forbidden', /agentToAgent/], [{ label: 'boss' }, 'error', /no session with the label "boss"/],
      [{ label: 'boss', agentId: 'work' }, 'error', /no session/], [{ sessionKey: 'agent:main:desk:dm:nobody' }, 'error', /no session/], [{ sessionKey: GROUP, message: ' ' }, 'error', /empty/], [{ sessionKey: GROUP, message: 'x'.repeat(64_001) }, 'error', /64001 characters/],
    ] as const) {
      const sent = await it.send(wish);
      assert.deepEqual([sent.status, error.test(sent.error)], [status, true], `${JSON.stringify(wish).slice(0, 80)}: ${sent.error}`);
      assert.match(sent.runId, /^exchange:/);
    }
    const closed = stage({ config: { session: { sendPolicy: { rules: [{ action: 'deny', match: { channel: 'desk' } }] } } } });
    assert.deepEqual([(await closed.send({ sessionKey: GROUP })).status, (await closed.send({ label: 'twin' })).status], ['forbidden', 'ok'], 'of two with that label one is in reach');
    assert.deepEqual([...it.begun, ...closed.begun.slice(1)], []);
  });

  it('ends circles: the other side of an exchange, and the fourth in a row', async () => {
    const errand = (step: 'ask' | 'reply' | 'announce' | 'result') => ({ origin: 'session', exchangeId: 'a'.repeat(32), step }) as const;
    const around = { depth: 1, requesterKey: GROUP, targetKey: OWN };
    const asked = guardStage(errand('ask'), around);
    assert.match((await asked.send({ sessionKey: GROUP })).error, /part in this very exchange/);
    assert.equal((await asked.send({ sessionKey: 'agent:main:work' })).status, 'ok');
    assert.equal(asked.begun[0]!.depth, 2);
    assert.equal((await guardStage(errand('ask'), { ...around, depth: 2 }).send({ sessionKey: 'agent:main:work' })).status, 'ok');
    assert.match((await guardStage(errand('ask'), { ...around, depth: 3 }).send({ sessionKey: 'agent:main:work' })).error, /3 times in a row/);
    assert.match((await guardStage(errand('result'), { ...around, depth: 3 }).spawn()).error, /3 times in a row/);
    assert.equal((await guardStage(errand('result'), { depth: 1, requesterKey: OWN, targetKey: 'agent:main:subagent:kid' }).send({ sessionKey: 'agent:main:subagent:kid' })).status, 'ok');
    assert.match((await stage({ going: 32 }).send({ sessionKey: GROUP })).error, /32 messages/);
  });
});

describe('sessions.spawn', () => {
  it('starts a sub-agent and returns at once', async () => {
    const it = stage();
    const spawned = await it.spawn({ label: ' kid2 ', model: 'gpt-5', thinking: 'HIGH', runTimeoutSeconds: 90, cleanup: 'delete' });
    assert.match(spawned.childSessionKey, /^agent:main:subagent:[0-9a-f-]{36}$/);
    assert.deepEqual([spawned.status, spawned.modelApplied, spawned.warning], ['accepted', true, undefined]);
    const { id, targetKey, ...begun } = it.begun[0]!;
    assert.deepEqual([targetKey, `exchange:${id}:0`], [spawned.childSessionKey, spawned.runId]);
    assert.deepEqual(begun, {
      kind: 'spawn', requesterKey: OWN, request: 'count', turns: 0, announce: true, depth: 1, createdAt: 10_000, replyTo: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } },
      child: { cleanup: 'delete', label: 'kid2', thinking: 'high', model: { provider: 'openai', modelId: 'gpt-5' }, timeoutMs: 90_000 },
      authority: OWNER,
    });
    const again = stage({ known: { requesterKey: OWN, targetKey: 'agent:main:subagent:first' } });
    assert.equal((await again.spawn()).childSessionKey, 'agent:main:subagent:first', 'one call starts one');
    assert.deepEqual(again.begun, []);
  });

  it('warns of a model nobody knows, takes that of the configuration, and refuses a thinking level that is none', async () => {
    const it = stage();
    const warned = await it.spawn({ model: 'nope' });
    assert.deepEqual([warned.status, warned.modelApplied], ['accepted', false]);
    assert.match(warned.warning, /There is no model nope/);
    const configured = stage({ config: { agents: { defaults: { subagents: { model: { primary: 'mini' }, thinking: 'low' } }, list: [{ id: 'main', subagents: { thinking: 'off' } }] } } });
    assert.equal((await configured.spawn()).modelApplied, true);
    assert.deepEqual(configured.begun[0]!.child, { cleanup: 'keep', thinking: 'off', model: { provider: 'openai', modelId: 'mini' } });
    assert.match((await it.spawn({ thinking: 'hard' })).error, /off, minimal, low, medium, high, xhigh/);
    const several = stage({ senders: ['u1', 'u2'] });
    await several.spawn();
    assert.deepEqual(sendersOf(several.begun[0]!.authority), ['u1', 'u2'], 'the limits of each of them hold');
  });

  it('is not for sub-agents, other agents only where allowed, and never out of a sandbox', async () => {
    const config = { agents: { list: [{ id: 'main', subagents: { allowAgents: ['work', 'gone'] } }, { id: 'work' }, { id: 'other' }] } };
    assert.equal((await stage({ from: 'agent:main:subagent:kid' }).spawn()).status, 'forbidden');
    assert.match((await stage().spawn({ agentId: 'work' })).error, /not allowed here \(allowed: main\)/);
    assert.match((await stage({ config }).spawn({ agentId: 'Work' })).childSessionKey, /^agent:work:subagent:/);
    for (const [agentId, status] of [['other', 'forbidden'], ['gone', 'error'], ['../x', 'forbidden']] as const) assert.equal((await stage({ config }).spawn({ agentId })).status, status, agentId);
    const boxed = stage({ config, sandboxed: ['agent:main:'] });
    assert.match((await boxed.spawn({ agentId: 'work' })).error, /sandboxed/);
    assert.equal((await boxed.spawn()).status, 'accepted');
    assert.match((await stage({ sandboxed: [OWN] }).spawn()).error, /sandboxed/, 'not even under its own agent');
    assert.deepEqual(boxed.begun.map(({ targetKey }) => targetKey.split(':')[1]), ['main']);
  });

  it('refuses a label that is taken, an empty task, and too many at once', async () => {
    for (const [wish, error] of [[{ label: 'room' }, /taken/], [{ task: ' ' }, /empty/], [{ label: 'x'.repeat(65) }, /65 characters/], [{ task: 'x'.repeat(64_001) }, /64001/]] as const) assert.match((await stage().spawn(wish)).error, error);
    assert.match((await stage({ going: 32 }).spawn()).error, /32 sub-agents/);
  });
});

describe('agents.list', () => {
  it('names one\'s own first, then those allowed, and which of them there are', async () => {
    assert.deepEqual(await stage().agents(), { requester: 'main', allowAny: false, agents: [{ id: 'main', configured: true }] });
    const list = [{ id: 'main', name: 'Me' }, { id: 'zoe' }, { id: 'bob', name: 'Bob' }];
    assert.deepEqual((await stage({ config: { agents: { list, defaults: { subagents: { allowAgents: ['gone', 'zoe', 'main'] } } } } }).agents()).agents, [{ id: 'main', name: 'Me', configured: true }, { id: 'gone', configured: false }, { id: 'zoe', configured: true }]);
    const any = await stage({ config: { agents: { list: [{ ...list[0], subagents: { allowAgents: ['*'] } }, ...list.slice(1)] } } }).agents();
    assert.deepEqual([any.allowAny, any.agents.map(({ id }) => id)], [true, ['main', 'bob', 'zoe']]);
  });
});

/** A turn that is itself a step; a new exchange is not known yet. */
function guardStage(errand: Errand, around: Partial<ExchangeRow>) {
  return stage({ errand, around });
}
