// What the session tools get of exchanges: messages to other sessions, sub-agents, each within its bounds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendersOf } from '../../core/authority.ts';
import { GROUP, OWN, OWNER } from '../../testing/tool-sessions-harness.ts';
import { guardHarness, harness } from './fake-tools.ts';

describe('sessions.send', () => {
  it('(T188) waits 30 seconds by default, and answers what that run said', async () => {
    const it = harness();
    const sent = await it.send({ sessionKey: GROUP });
    assert.match(sent.runId, /^exchange:[0-9a-f]{32}:0$/);
    assert.deepEqual(sent, {
      runId: sent.runId,
      status: 'ok',
      reply: 'hello back',
      sessionKey: GROUP,
      delivery: { status: 'pending', mode: 'announce' },
    });
    await it.send({ sessionKey: GROUP, timeoutSeconds: 1e9 });
    assert.deepEqual(it.waits, [30_000, 3_600_000]);
    const { id, ...begun } = it.begun[0]!;
    assert.match(sent.runId, new RegExp(id));
    assert.deepEqual(begun, {
      kind: 'send',
      requesterKey: OWN,
      targetKey: GROUP,
      request: 'hi',
      announce: true,
      turns: 5,
      depth: 1,
      authority: OWNER,
      createdAt: 10_000,
    });
    assert.equal(it.begun[1]!.id, id, 'the same call is the same exchange');
  });

  it('(T188) with 0 seconds waits for nothing; with announce: false nothing follows', async () => {
    const it = harness();
    const accepted = await it.send({ label: 'room', timeoutSeconds: 0 });
    assert.deepEqual(accepted, {
      runId: accepted.runId,
      status: 'accepted',
      sessionKey: GROUP,
      delivery: { status: 'pending', mode: 'announce' },
    });
    const quiet = await it.send({ label: 'room', announce: false, timeoutSeconds: -4 });
    assert.deepEqual(
      [quiet.delivery, it.begun[1]!.announce, it.begun[1]!.turns, it.waits],
      [{ status: 'none', mode: 'off' }, false, 0, []],
    );
  });

  it('(T188) takes the turns of the configuration, clamped, and none in jobs and hooks', async () => {
    for (const [request, turns] of [
      [9, 5],
      [-1, 0],
      [2.9, 2],
      [undefined, 5],
    ] as const) {
      const it = harness({ config: { session: { agentToAgent: { maxPingPongTurns: request } } } });
      await it.send({ sessionKey: GROUP });
      assert.equal(it.begun[0]!.turns, turns);
    }
    for (const fixture of [
      { from: 'agent:main:cron:daily' },
      { from: 'agent:main:hook:h1' },
      { trigger: { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 0, delivers: 'auto', trusted: true } as const },
    ]) {
      const it = harness(fixture);
      await it.send({ sessionKey: GROUP });
      assert.equal(it.begun[0]!.turns, 0);
    }
  });

  it('tells a timeout, a stop and a failure as what they are', async () => {
    for (const [end, status, error] of [
      ['never', 'timeout', /within 30 s.*do not send the message again/],
      [{ kind: 'stopped' }, 'error', /stopped/],
      [{ kind: 'failed', code: 'network', message: 'away' }, 'error', /^away$/],
    ] as const) {
      const sent = await harness({ end }).send({ sessionKey: GROUP });
      assert.deepEqual([sent.status, sent.sessionKey, sent.reply], [status, GROUP, undefined]);
      assert.match(sent.error, error);
    }
  });

  it(
    '(T189 T193 T186) refuses both and neither, itself, what is not there or out of reach, and what takes no ' +
      'messages',
    async () => {
      const it = harness();
      for (const [request, status, error] of [
        [{ sessionKey: GROUP, label: 'room' }, 'error', /^Provide either sessionKey or label \(not both\)\.$/],
        [{}, 'error', /^Either sessionKey or label is required$/],
        [{ sessionKey: ' ', label: '' }, 'error', /^Either/],
        [{ sessionKey: 'main' }, 'forbidden', /itself/],
        [{ sessionKey: 'own-id' }, 'error', /Unknown session|No visible session/],
        [{ sessionKey: 'agent:work:main' }, 'forbidden', /agentToAgent/],
        [{ label: 'boss' }, 'error', /No visible session has the label "boss"/],
        [{ label: 'boss', agentId: 'work' }, 'error', /Unknown session|No visible session/],
        [{ sessionKey: 'agent:main:desk:dm:nobody' }, 'error', /Unknown session|No visible session/],
        [{ sessionKey: GROUP, message: ' ' }, 'error', /empty/],
        [{ sessionKey: GROUP, message: 'x'.repeat(64_001) }, 'error', /64001 characters/],
      ] as const) {
        const sent = await it.send(request);
        assert.deepEqual(
          [sent.status, error.test(sent.error)],
          [status, true],
          `${JSON.stringify(request).slice(0, 80)}: ${sent.error}`,
        );
        assert.match(sent.runId, /^exchange:/);
      }
      const closed = harness({
        config: { session: { sendPolicy: { rules: [{ action: 'deny', match: { channel: 'desk' } }] } } },
      });
      assert.deepEqual(
        [(await closed.send({ sessionKey: GROUP })).status, (await closed.send({ label: 'twin' })).status],
        ['forbidden', 'ok'],
        'of two with that label one is in reach',
      );
      assert.deepEqual([...it.begun, ...closed.begun.slice(1)], []);
    },
  );

  it('ends circles: the other side of an exchange, and the fourth in a row', async () => {
    const trigger = (step: 'ask' | 'reply' | 'announce' | 'result') =>
      ({ origin: 'session', exchangeId: 'a'.repeat(32), step }) as const;
    const around = { depth: 1, requesterKey: GROUP, targetKey: OWN };
    const asked = guardHarness(trigger('ask'), around);
    assert.match((await asked.send({ sessionKey: GROUP })).error, /part in this exchange/);
    assert.equal((await asked.send({ sessionKey: 'agent:main:work' })).status, 'ok');
    assert.equal(asked.begun[0]!.depth, 2);
    assert.equal(
      (await guardHarness(trigger('ask'), { ...around, depth: 2 }).send({ sessionKey: 'agent:main:work' })).status,
      'ok',
    );
    assert.match(
      (await guardHarness(trigger('ask'), { ...around, depth: 3 }).send({ sessionKey: 'agent:main:work' })).error,
      /3 times in a row/,
    );
    assert.match((await guardHarness(trigger('result'), { ...around, depth: 3 }).spawn()).error, /3 times in a row/);
    assert.equal(
      (
        await guardHarness(trigger('result'), {
          depth: 1,
          requesterKey: OWN,
          targetKey: 'agent:main:subagent:kid',
        }).send({
          sessionKey: 'agent:main:subagent:kid',
        })
      ).status,
      'ok',
    );
    assert.match((await harness({ going: 32 }).send({ sessionKey: GROUP })).error, /32 messages/);
  });
});

describe('sessions.spawn', () => {
  it('starts a sub-agent and returns at once', async () => {
    const it = harness();
    const spawned = await it.spawn({
      label: ' kid2 ',
      model: 'gpt-5',
      thinking: 'HIGH',
      runTimeoutSeconds: 90,
      cleanup: 'delete',
    });
    assert.match(spawned.childSessionKey, /^agent:main:subagent:[0-9a-f-]{36}$/);
    assert.deepEqual([spawned.status, spawned.modelApplied, spawned.warning], ['accepted', true, undefined]);
    const { id, targetKey, ...begun } = it.begun[0]!;
    assert.deepEqual([targetKey, `exchange:${id}:0`], [spawned.childSessionKey, spawned.runId]);
    assert.deepEqual(begun, {
      kind: 'spawn',
      requesterKey: OWN,
      request: 'count',
      turns: 0,
      announce: true,
      depth: 1,
      createdAt: 10_000,
      replyTo: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } },
      child: {
        cleanup: 'delete',
        label: 'kid2',
        thinking: 'high',
        model: { provider: 'openai', modelId: 'gpt-5' },
        timeoutMs: 90_000,
      },
      authority: OWNER,
    });
    const again = harness({ known: { requesterKey: OWN, targetKey: 'agent:main:subagent:first' } });
    assert.equal((await again.spawn()).childSessionKey, 'agent:main:subagent:first', 'one call starts one');
    assert.deepEqual(again.begun, []);
  });

  it('warns of a model nobody knows, takes that of the configuration, and refuses a thinking level that is none', async () => {
    const it = harness();
    const warned = await it.spawn({ model: 'nope' });
    assert.deepEqual([warned.status, warned.modelApplied], ['accepted', false]);
    assert.match(warned.warning, /There is no model nope/);
    const configured = harness({
      config: {
        agents: {
          defaults: { subagents: { model: { primary: 'mini' }, thinking: 'low' } },
          list: [{ id: 'main', subagents: { thinking: 'off' } }],
        },
      },
    });
    assert.equal((await configured.spawn()).modelApplied, true);
    assert.deepEqual(configured.begun[0]!.child, {
      cleanup: 'keep',
      thinking: 'off',
      model: { provider: 'openai', modelId: 'mini' },
    });
    assert.match((await it.spawn({ thinking: 'hard' })).error, /off, minimal, low, medium, high, xhigh/);
    const several = harness({ senders: ['u1', 'u2'] });
    await several.spawn();
    assert.deepEqual(sendersOf(several.begun[0]!.authority), ['u1', 'u2'], 'the limits of each of them hold');
  });

  it('is not for sub-agents, other agents only where allowed, and never out of a sandbox', async () => {
    const config = {
      agents: { list: [{ id: 'main', subagents: { allowAgents: ['work', 'gone'] } }, { id: 'work' }, { id: 'other' }] },
    };
    assert.equal((await harness({ from: 'agent:main:subagent:kid' }).spawn()).status, 'forbidden');
    assert.match((await harness().spawn({ agentId: 'work' })).error, /not allowed here \(allowed: main\)/);
    assert.match((await harness({ config }).spawn({ agentId: 'Work' })).childSessionKey, /^agent:work:subagent:/);
    for (const [agentId, status] of [
      ['other', 'forbidden'],
      ['gone', 'error'],
      ['../x', 'forbidden'],
    ] as const)
      assert.equal((await harness({ config }).spawn({ agentId })).status, status, agentId);
    const boxed = harness({ config, sandboxed: ['agent:main:'] });
    assert.match((await boxed.spawn({ agentId: 'work' })).error, /sandboxed/);
    assert.equal((await boxed.spawn()).status, 'accepted');
    assert.match((await harness({ sandboxed: [OWN] }).spawn()).error, /sandboxed/, 'not even under its own agent');
    assert.deepEqual(
      boxed.begun.map(({ targetKey }) => targetKey.split(':')[1]),
      ['main'],
    );
  });

  it('refuses a label that is taken, an empty task, and too many at once', async () => {
    for (const [request, error] of [
      [{ label: 'room' }, /already used/],
      [{ task: ' ' }, /empty/],
      [{ label: 'x'.repeat(65) }, /65 characters/],
      [{ task: 'x'.repeat(64_001) }, /64001/],
    ] as const)
      assert.match((await harness().spawn(request)).error, error);
    assert.match((await harness({ going: 32 }).spawn()).error, /32 sub-agents/);
  });
});

describe('agents.list', () => {
  it("names one's own first, then those allowed, and which of them there are", async () => {
    assert.deepEqual(await harness().agents(), {
      requester: 'main',
      allowAny: false,
      agents: [{ id: 'main', configured: true }],
    });
    const list = [{ id: 'main', name: 'Me' }, { id: 'zoe' }, { id: 'bob', name: 'Bob' }];
    assert.deepEqual(
      (
        await harness({
          config: { agents: { list, defaults: { subagents: { allowAgents: ['gone', 'zoe', 'main'] } } } },
        }).agents()
      ).agents,
      [
        { id: 'main', name: 'Me', configured: true },
        { id: 'gone', configured: false },
        { id: 'zoe', configured: true },
      ],
    );
    const any = await harness({
      config: { agents: { list: [{ ...list[0], subagents: { allowAgents: ['*'] } }, ...list.slice(1)] } },
    }).agents();
    assert.deepEqual([any.allowAny, any.agents.map(({ id }) => id)], [true, ['main', 'bob', 'zoe']]);
  });
});
