/** How far the message tool reaches from the chat of its turn, and what remains of the turn's answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageToolSchema } from '../config/message-tool-config.ts';
import type { ChatAddress } from '../core/message.ts';
import { withoutSent, type MessageSent } from '../core/message-tool.ts';
import type { Turn } from '../core/turn.ts';
import type { Opening } from '../core/access-table.ts';
import {
  gatewayAuthority,
  delegatedVia,
  nobodysAuthority,
  programAuthority,
  type Authority,
  type Home,
} from '../core/authority.ts';
import { peopleAuthority, surfaceAuthority } from '../testing/sample-authority.ts';
import { fileMark } from '../pipeline/outbound/reply-media.ts';
import { channelFixture } from '../testing/channel-fixture.ts';
import { createToolMessaging } from './tool-messaging.ts';

const signal = new AbortController().signal;
const SESSION = 'agent:main:alpha:group:42';
const owner = (home: Home): Authority => peopleAuthority({ home, rights: ['configure'] });
const HERE: ChatAddress = { channel: 'alpha', accountId: 'default', chat: { kind: 'group', id: '42' } };

async function harness(
  config: object = {},
  replyTo: ChatAddress = HERE,
  asked: (home: Home) => Authority = owner,
  open: readonly Opening[] = [],
) {
  const fixture = await channelFixture();
  const turn = {
    id: 't1',
    route: { agentId: 'main', sessionKey: SESSION, replyTo },
    authority: asked({ agentId: 'main', sessionKey: SESSION, address: replyTo }),
  } as unknown as Turn;
  const methods = createToolMessaging({
    turn,
    channels: fixture.service,
    isDeliverable: (id) => id === 'alpha' || id === 'beta',
    keepFiles: async (media, files) =>
      [...media, ...files].map(({ name = 'file' }, at) => ({ id: `f${at}`, name, mime: 'text/plain', size: 1 })),
    config: () => messageToolSchema.parse(config),
    open: () => open,
    sentBefore: async () => [],
  });
  let count = 0;
  return {
    fixture,
    send: (params: object) => methods.send({ text: 'hi', runId: `t1:c${count++}`, signal, ...params }),
    act: (params: object) => methods.act({ action: 'pin', parameters: { messageId: '7' }, signal, ...params }),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

describe('the message tool of a turn', () => {
  it('G54 writes in its own chat without naming it, unmarked and unnoted', async () => {
    await using it = await harness();
    assert.deepEqual(await it.send({}), { address: HERE, text: 'hi', messageIds: ['m1'] });
    await it.send({ channel: 'ALPHA', target: '42', threadId: '7' });
    assert.deepEqual(
      it.fixture.sent.map(({ to, message }) => [to.chat.id, to.threadId, message.payload.text]),
      [
        ['42', undefined, 'hi'],
        ['42', '7', 'hi'],
      ],
    );
    assert.deepEqual(it.fixture.notes, []);
  });

  it('G54 reaches other chats of its channel, marked; not where that is turned off', async () => {
    await using it = await harness();
    assert.equal((await it.send({ target: 'user:ana' })).text, '[from alpha] hi');
    assert.equal(it.fixture.sent[0]!.to.accountId, 'default');
    assert.deepEqual(
      it.fixture.notes.map(({ sessionKey }) => sessionKey),
      ['agent:main:alpha:direct:ana'],
    );
    await using plain = await harness({ crossContext: { marker: { enabled: false } } });
    assert.equal((await plain.send({ target: 'user:ana' })).text, 'hi');
    await using closed = await harness({ crossContext: { allowWithinProvider: false } });
    await assert.rejects(closed.send({ target: 'user:ana' }), {
      code: 'denied',
      message: /tools\.message\.crossContext\.allowWithinProvider/,
    });
    await closed.send({ target: '42' });
    for (const parameters of [
      { to: 'user:ana' },
      { target: 7 },
      { messageLink: 'https://x/1/2/3' },
      { query: 'secret' },
      { threadId: '9' },
      { threadId: 9 },
      { channelIds: '1,2' },
    ])
      await assert.rejects(
        closed.act({ parameters: { messageId: '7', ...parameters } }),
        { code: 'denied' },
        JSON.stringify(parameters),
      );
    await assert.rejects(
      closed.send({ threadId: '9' }),
      { code: 'denied', message: /which .*threadId.* does/ },
      'where threads are channels, that is any channel',
    );
    for (const call of [() => closed.send({ accountId: 'work' }), () => closed.act({ accountId: 'work' })])
      await assert.rejects(call, { code: 'denied' }, 'another account is another place');
    await closed.act({});
    assert.equal(closed.fixture.sent.length, 1);
    await using inside = await harness({ crossContext: { allowWithinProvider: false } }, { ...HERE, threadId: '9' });
    await inside.send({ threadId: '9' });
    await inside.act({ accountId: 'Default', parameters: { messageId: '7', threadId: 9 } });
    assert.equal(inside.fixture.sent.length, 1);
  });

  it('G54 does not reach another channel, by whatever spelling, in sends and actions', async () => {
    await using it = await harness();
    for (const params of [{ channel: 'beta', target: '1' }, { target: 'beta:1' }, { channel: 'Beta', target: '42' }])
      await assert.rejects(it.send(params), { code: 'denied', message: /allowAcrossProviders/ });
    await assert.rejects(it.act({ action: 'react', channel: 'beta', parameters: { messageId: '7', emoji: 'x' } }), {
      code: 'denied',
    });
    await assert.rejects(it.act({ action: 'react', parameters: { target: 'beta:1', messageId: '7', emoji: 'x' } }), {
      code: 'denied',
    });
    assert.equal(it.fixture.sent.length + it.fixture.done.length, 0);
    for (const config of [{ crossContext: { allowAcrossProviders: true } }, { allowCrossContextSend: true }]) {
      await using open = await harness(config);
      assert.deepEqual((await open.send({ channel: 'beta', target: '1' })).address.channel, 'beta');
      await assert.rejects(open.send({ channel: 'beta' }), { code: 'invalid', message: /needs target/ });
    }
  });

  it('of the owner’s own surface goes anywhere, unmarked, to a chat that is named', async () => {
    await using it = await harness(
      {},
      { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
    );
    assert.equal((await it.send({ channel: 'beta', target: '1' })).text, 'hi');
    await assert.rejects(it.send({ channel: 'beta' }), { code: 'invalid', message: /needs target/ });
    await assert.rejects(it.send({ target: '1' }), { code: 'invalid', message: /Channels: alpha, beta/ });
    await it.act({ channel: 'alpha', parameters: { target: '1', messageId: '7' } });
    assert.equal(it.fixture.acted[0]!.call.to?.chat.id, '1');
  });

  it('of that surface shows words and files there when no chat is named, each file once, and sends nothing', async () => {
    const web: ChatAddress = { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: SESSION } };
    for (const named of [{}, { channel: 'WebChat' }, { target: SESSION }]) {
      await using it = await harness({}, web, (home) => surfaceAuthority({ home, scopes: ['operator.write'] }));
      const plan = { files: [{ data: Buffer.from('plan'), name: 'plan.txt' }], ...named };
      const shown = await it.send(plan);
      assert.deepEqual(shown, {
        address: web,
        text: 'hi',
        media: [fileMark(Buffer.from('plan'))],
        messageIds: [],
        files: [{ id: 'f0', name: 'plan.txt', mime: 'text/plain', size: 1 }],
      });
      assert.deepEqual((await it.send({ ...plan, text: 'once more' })).files, []);
      assert.deepEqual((await it.send(plan)).repeated, ['plan.txt']);
      assert.deepEqual(withoutSent({ kind: 'final', text: 'hi' }, { to: web, sent: [shown] }), undefined);
      await assert.rejects(it.send({ ...named, media: [{ from: 'url', url: 'https://127.0.0.1/x' }] }), {
        code: 'denied',
      });
      assert.deepEqual(it.fixture.sent, []);
    }
  });

  it('of that surface goes nowhere when what it is about came from outside or from a stranger', async () => {
    const web: ChatAddress = { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } };
    const CASES: readonly (readonly [asked: (home: Home) => Authority, goes: boolean])[] = [
      [gatewayAuthority, true],
      [(home) => surfaceAuthority({ home }), true],
      [(home) => surfaceAuthority({ home, hands: ['job:j'] }), true],
      [(home) => surfaceAuthority({ home, scopes: ['operator.write'] }), true],
      [(home) => surfaceAuthority({ home, scopes: ['operator.read'] }), false],
      [(home) => programAuthority('ci', home), false],
      [nobodysAuthority, false],
      [(home) => peopleAuthority({ home: { ...home, address: HERE }, hands: ['session:x'] }), false],
      [(home) => delegatedVia(programAuthority('ci', home), 'wake'), false],
    ];
    for (const [n, [asked, goes]] of CASES.entries()) {
      await using it = await harness({}, web, asked);
      const sent = it.send({ channel: 'beta', target: '1' });
      if (goes) await sent;
      else await assert.rejects(sent, { code: 'denied' }, String(n));
    }
  });

  it('acts in its own chat; a dry run only says where', async () => {
    await using it = await harness();
    await it.act({});
    assert.deepEqual(it.fixture.acted[0]!.call.to, HERE);
    assert.deepEqual(await it.send({ target: 'user:ana', dryRun: true }), {
      address: { channel: 'alpha', accountId: 'default', chat: { kind: 'direct', id: 'ana' } },
      text: '[from alpha] hi',
      messageIds: [],
    });
    assert.equal(it.fixture.sent.length, 0);
  });
});

describe('G164 the final answer', () => {
  const sent = (over: Partial<ChatAddress> = {}, text = 'All **done**.'): MessageSent[] => [
    { address: { ...HERE, ...over }, text, messageIds: ['1'] },
  ];
  const left = (text: string, messages: readonly MessageSent[]): string | undefined =>
    withoutSent({ kind: 'final', text }, { to: HERE, sent: messages })?.text;

  it('is dropped when the tool said the same words there', () => {
    assert.equal(left('All done.', sent()), undefined);
    assert.equal(left('All done. And more.', sent()), 'All done. And more.');
  });

  it('stays when they went to another account, channel or chat, when it failed or carries files', () => {
    for (const over of [{ accountId: 'work' }, { channel: 'beta' }, { chat: { kind: 'direct', id: '1' } as const }])
      assert.equal(left('All done.', sent(over)), 'All done.');
    const failed = { kind: 'notice', text: 'All done.', failed: true } as const;
    assert.equal(withoutSent(failed, { to: HERE, sent: sent() }), failed);
    const file = { kind: 'final', text: 'All done.', media: [{ from: 'url', url: 'https://x/y.png' }] } as const;
    assert.equal(withoutSent(file, { to: HERE, sent: sent() }), file);
    assert.equal(withoutSent(undefined, { to: HERE, sent: sent() }), undefined);
  });
});
