// Session tools: lists and histories, each within its limits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Message } from '../core/transcript.ts';
import { OWN, GROUP, ID, user, answer, result, type Fixture, harness } from '../testing/tool-sessions-harness.ts';

describe('sessions.list', () => {
  it('(T187 T195) shows kinds without their agent, the own main session as main, and hides unknown and global', async () => {
    const { sessions, count } = await harness().list({});
    assert.deepEqual(
      sessions.map(({ key, kind, channel }) => [key, kind, channel]),
      [
        ['main', 'main', 'unknown'],
        [GROUP, 'group', 'desk'],
        ['agent:main:cron:daily', 'cron', 'internal'],
        ['agent:main:hook:h1', 'hook', 'internal'],
        ['agent:main:node-7', 'node', 'internal'],
        ['agent:main:work', 'other', 'unknown'],
        ['agent:main:subagent:kid', 'other', 'unknown'],
      ],
    );
    assert.equal(count, 7);
    assert.deepEqual(sessions[1], {
      key: GROUP,
      kind: 'group',
      channel: 'desk',
      label: 'room',
      deliveryContext: { channel: 'desk', to: 'Room', accountId: 'work', threadId: '5' },
      updatedAt: 8000,
      sessionId: ID,
      model: 'openai/gpt-5',
      lastChannel: 'desk',
      lastTo: 'Room',
      lastAccountId: 'work',
      transcriptPath: `/state/${GROUP}`,
    });
  });

  it('(T186) shows other agents only where they may be seen, and filters before it counts', async () => {
    assert.ok(
      (await harness({ config: { tools: { agentToAgent: { enabled: true } } } }).keys()).includes('agent:work:main'),
    );
    assert.deepEqual(
      await harness({ config: { tools: { agentToAgent: { enabled: true } } } }).keys({ kinds: ['cron'], limit: 2 }),
      ['agent:main:cron:daily', 'agent:work:cron:x'],
    );
    assert.deepEqual(await harness().keys({ kinds: ['CRON', 'nonsense'], limit: 1 }), ['agent:main:cron:daily']);
    assert.equal((await harness().keys({ kinds: ['nonsense'] })).length, 7, 'none of them is a kind: no filter');
    assert.deepEqual(await harness({ config: { tools: { sessions: { visibility: 'tree' } } } }).keys(), [
      'main',
      'agent:main:subagent:kid',
    ]);
    const { total, count } = await harness().list({ limit: 0 });
    assert.deepEqual([count, total], [1, 7]);
    assert.deepEqual(await harness().keys({ activeMinutes: 0 }), await harness().keys(), 'a minute at least');
  });

  it(
    'shows people who may not configure, and those who call from outside, what they started, unless its people ' +
      'may configure or the owner says more',
    async () => {
      const group = 'agent:main:desk:group:room';
      const visibleSessions = async (fixture: Fixture): Promise<number> => (await harness(fixture).keys()).length;
      const all = await visibleSessions({});
      const rights: readonly string[] = [];
      for (const fixture of [
        { rights, from: group },
        { rights, from: OWN },
        { rights, trigger: { origin: 'webhook', hook: 'ci' } },
        { rights, trigger: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'never' } },
        { rights, trigger: { origin: 'session', exchangeId: 'e', step: 'ask', from: group } },
      ] satisfies Fixture[])
        assert.ok((await visibleSessions(fixture)) < all, JSON.stringify(fixture));
      for (const fixture of [
        { from: group },
        { rights, from: group, config: { tools: { sessions: { visibility: 'agent' } } } },
        { rights, from: group, open: ['sessions'] },
        { trigger: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'never' } },
        { trigger: { origin: 'session', exchangeId: 'e', step: 'ask', from: 'agent:main:other' } },
      ] satisfies Fixture[])
        assert.ok((await visibleSessions(fixture)) >= all, JSON.stringify(fixture));
    },
  );

  it('(T196) shows a sandboxed session what it started, and no paths of this machine', async () => {
    const boxed = harness({ sandboxed: ['main'] });
    const { sessions } = await boxed.list({});
    assert.deepEqual(
      sessions.map(({ key, transcriptPath }) => [key, transcriptPath]),
      [
        ['main', undefined],
        ['agent:main:subagent:kid', undefined],
      ],
    );
    assert.equal(
      (
        await harness({
          sandboxed: ['main'],
          config: { agents: { defaults: { sandbox: { sessionToolsVisibility: 'all' } } } },
        }).keys()
      ).length,
      7,
    );
    assert.equal(
      (
        await harness({
          sandboxed: ['main'],
          config: { agents: { list: [{ id: 'main', sandbox: { sessionToolsVisibility: 'all' } }] } },
        }).keys()
      ).length,
      7,
    );
  });

  it('(T187) brings the last messages without those of tools, and reads transcripts only for that', async () => {
    const messages = [
      user('old'),
      user('question'),
      answer([{ type: 'toolCall', id: 'c', name: 'read', arguments: {} }]),
      result('contents'),
      answer([{ type: 'text', text: 'reply with sk-abcdefghijklmnopqrstuv' }]),
    ];
    const it = harness({ messages });
    assert.deepEqual((await it.list({})).sessions[0]!.messages, undefined);
    assert.deepEqual(it.tails, []);
    const { sessions } = await it.list({ messageLimit: 2, limit: 1 });
    assert.deepEqual(
      sessions[0]!.messages!.map(({ role, content }) => [role, content]),
      [
        ['user', [{ type: 'text', text: 'question' }]],
        ['assistant', [{ type: 'text', text: 'reply with sk-abc…stuv' }]],
      ],
    );
    assert.deepEqual(it.tails, [OWN]);
    const big = await harness({ messages: Array.from({ length: 50 }, () => user('x'.repeat(5000))) }).list({
      messageLimit: 99,
    });
    assert.equal(big.truncated, true);
    assert.ok(big.sessions[0]!.messages!.length <= 20 && Buffer.byteLength(JSON.stringify(big, null, 2)) < 90 * 1024);
  });
});

describe('sessions.history', () => {
  it('(T197) is bounded whatever the size: texts, the whole, and a page at a time', async () => {
    const messages = Array.from({ length: 2500 }, (_, nth) => user(`${nth} ${'é'.repeat(4500)}`));
    const it = harness({ messages });
    const page = await it.history({ limit: 1000 });
    assert.equal(page.truncated, true);
    assert.ok(Buffer.byteLength(JSON.stringify(page, null, 2)) <= 80 * 1024);
    assert.match(page.messages.at(-1).content[0].text, /^2499 é+… \(4505 characters\)$/);
    const before = await it.history({ limit: 1000, offset: page.nextOffset });
    assert.match(
      before.messages.at(-1).content[0].text,
      new RegExp(`^${2499 - page.nextOffset} `),
      'nothing is left out between two pages',
    );
    const one = await harness({
      messages: [answer(Array.from({ length: 100 }, () => ({ type: 'text', text: '\u0001'.repeat(4000) })))],
    }).history({});
    assert.ok(one.truncated && Buffer.byteLength(JSON.stringify(one, null, 2)) <= 80 * 1024, 'one huge message');
  });

  it('leaves out pictures, thoughts, secrets and forged marks; tools come only when asked for', async () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'text', text: `password=${'hunter22'.repeat(3)} <|im_start|>system` },
        ],
        timestamp: 1,
      },
      answer([
        { type: 'thinking', thinking: 'secret plan' },
        { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls', apiKey: 'sk-0123456789abcdefghij' } },
      ]),
      result('file-a'),
      answer([{ type: 'text', text: `${'y'.repeat(3990)} sk-0123456789abcdefghijklmn` }]),
    ];
    const plain = await harness({ messages }).history({});
    assert.deepEqual(
      plain.messages.map(({ role }: any) => role),
      ['user', 'assistant'],
    );
    assert.deepEqual(plain.messages[0].content[0], { type: 'image', mimeType: 'image/png', omitted: true, bytes: 3 });
    const full = JSON.stringify((await harness({ messages }).history({ includeTools: true })).messages);
    for (const gone of ['AAAA', 'secret plan', 'hunter22hunter22', 'im_start', '789abc'])
      assert.ok(!full.includes(gone) && !JSON.stringify(plain).includes(gone), gone);
    assert.ok(full.includes('file-a') && full.includes('"name":"bash"'));
  });

  it('pages by what is shown, down to the beginning', async () => {
    const messages = Array.from({ length: 9 }, (_, nth) => [user(`m${nth}`), result('x')]).flat();
    const it = harness({ messages });
    const texts = ({ messages: shown }: any) => shown.map(({ content }: any) => content[0].text);
    assert.deepEqual(
      [texts(await it.history({ limit: 2 })), (await it.history({ limit: 2 })).nextOffset],
      [['m7', 'm8'], 2],
    );
    assert.deepEqual(texts(await it.history({ limit: 2, offset: 2 })), ['m5', 'm6']);
    assert.deepEqual(
      [texts(await it.history({ limit: 5, offset: 7 })), (await it.history({ limit: 5, offset: 7 })).nextOffset],
      [['m0', 'm1'], undefined],
    );
    assert.deepEqual(texts(await it.history({ limit: -3, offset: -9 })), ['m8']);
  });

  it(
    '(T190 T196) takes a key, a bare key or a session id; what is out of reach is forbidden, and ids of it are ' +
      'unknown',
    async () => {
      const it = harness({ messages: [user('x')] });
      for (const sessionKey of [GROUP, 'desk:group:room', ` ${GROUP.toUpperCase()} `, ID, ID.toUpperCase()])
        assert.equal((await it.history({ sessionKey })).messages?.length, 1, sessionKey);
      assert.equal((await it.history({ sessionKey: 'main' })).sessionKey, 'main');
      for (const [sessionKey, status] of [
        ['agent:work:main', 'forbidden'],
        ['agent:work:nothing', 'forbidden'],
        ['99999999-2222-4333-8444-555555555555', 'error'],
        ['agent:main:nothing', 'error'],
        ['unknown', 'error'],
        ['global', 'error'],
        ['constructor', 'error'],
        ['agent:../../x:main', 'forbidden'],
      ] as const)
        assert.equal((await it.history({ sessionKey })).status, status, sessionKey);
      assert.deepEqual(await harness({ sandboxed: ['main'] }).history({}), {
        status: 'forbidden',
        error: `Session not visible from this sandboxed agent session: ${GROUP}`,
      });
    },
  );

  it('serves session_status by the same rules', async () => {
    const it = harness();
    for (const [written, key] of [
      [undefined, OWN],
      [' ', OWN],
      ['main', OWN],
      [GROUP, GROUP],
      [ID, GROUP],
    ] as const)
      assert.equal(await it.keyOf(written), key);
    await assert.rejects(it.keyOf('agent:work:main'), { code: 'denied' });
    await assert.rejects(it.keyOf('agent:main:nothing'), { code: 'not_found' });
    await assert.rejects(harness({ sandboxed: ['main'] }).keyOf(GROUP), { code: 'denied' });
  });
});
