/** Handling of a channel message until an agent gets it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Admission } from '../core/admission.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { InboundMessage } from '../core/message.ts';
import { mainSessionKey } from '../core/session-key.ts';
import type { Arrival, InboundRow } from '../journal/rows.ts';
import { createGroupHistory } from '../pipeline/context/group-history.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { createChannelInbound, type ChannelInboundDeps } from './channel-inbound.ts';
import type { Press } from './choices.ts';
import { standingOf } from '../core/authority.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { typed } from '../core/saying.ts';

const plugin = { id: 'pipe' } as ChannelPlugin;
const allowed: Admission = {
  kind: 'allowed',
  commands: true,
  rights: ['approve'],
  steps: [{ step: 'allowlist', ok: true, detail: 'listed' }],
};
const refused = (over: Partial<Admission> = {}): Admission =>
  ({ kind: 'refused', reason: 'no', steps: [], ...over }) as Admission;
const group = (id: string, over: Partial<InboundMessage> = {}): InboundMessage => ({
  id,
  text: `text ${id}`,
  said: typed(`text ${id}`),
  attachments: [],
  addressesBot: true,
  receivedAt: 1000,
  sender: { id: 'u', name: 'Ann' },
  address: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g' } },
  ...over,
});

function harness(
  over: Partial<ChannelInboundDeps> & {
    admission?: Admission;
    notice?: { token: string; text: string };
    known?: InboundRow;
    press?: Press | 'gone';
  } = {},
) {
  const arrivals: Arrival[][] = [];
  const answer = { admission: over.admission ?? allowed };
  const receive = createChannelInbound({
    journal: {
      inbound: {
        latest: ({ id, key = id }: InboundMessage) =>
          over.known && key === (over.known.message.key ?? key) ? over.known : undefined,
      } as never,
    },
    history: createGroupHistory(),
    accepting: () => true,
    choices: { read: () => over.press },
    gate: async (message) => present({ admission: answer.admission, message, notice: over.notice }),
    inbox: {
      async receiveAll(list) {
        arrivals.push([...list]);
        return list.map(
          ({ accepted: taken, runId }, seq) =>
            ({
              status: 'accepted',
              row: { ...taken, seq, runId, state: 'accepted', steered: false, acceptedAt: 0 },
            }) as const,
        );
      },
    },
    route: ({ address }) => ({
      agentId: 'main',
      sessionKey: mainSessionKey('main'),
      matchedBy: 'default',
      replyTo: address,
    }),
    log: silentLog,
    broadcast: () => undefined,
    historyLimit: () => 5,
    lastUsed: () => 400,
    adopt: async (files, key) =>
      files.map((file) => (file.path === undefined ? file : { ...file, path: `${key}/${file.path}` })),
    ...over,
  });
  return {
    arrivals,
    answer,
    receive: (message: InboundMessage) => receive(plugin, message),
    last: () => arrivals.at(-1)![0]!,
  };
}

describe('a message of a channel', () => {
  it('keeps what the access gate decided of it, and how long the conversation rested', async () => {
    const s = harness();
    await s.receive(group('1'));
    const { accepted: row, refused: no } = s.last();
    assert.deepEqual(
      [standingOf(row.authority), row.authority.rights, row.access?.[0]?.step, row.elapsedMs, row.commands, no],
      ['member', ['approve'], 'allowlist', 600, true, undefined],
    );
  });

  it('is refused with its reason and the reply to its sender', async () => {
    const s = harness({ admission: refused({ pairing: true } as never), notice: { token: 'pairing:x', text: 'code' } });
    await s.receive(group('1'));
    const { refused: no, accepted: row } = s.last();
    assert.deepEqual(
      [no?.reason, no?.notice?.token, no?.notice?.payload.text, no?.notice?.address.chat.id],
      ['no', 'pairing:x', 'code', 'g'],
    );
    assert.deepEqual([standingOf(row.authority), row.commands, row.authority.rights], ['nobody', false, []]);
  });

  it('answers a press on a button that does not count any more, and who may not write learns nothing', async () => {
    const s = harness({ press: 'gone' });
    const press = group('1', { pressed: 'choice:x', text: 'callback_data: choice:x', said: NOTHING_SAID });
    await s.receive(press);
    const { refused: no, accepted: row } = s.last();
    assert.match(no?.notice?.payload.text ?? '', /button no longer counts/);
    assert.deepEqual([row.authority.rights, row.commands, row.message.addressesBot], [[], false, true]);
    s.answer.admission = refused();
    await s.receive(press);
    assert.equal(s.last().refused?.notice, undefined);
  });

  it('a number answers a question once, also when it is delivered again; after that it is a number', async () => {
    const press: Press = { choice: { label: 'No', says: '/deny' }, sessionKey: 's', key: 'press:q:u', byNumber: true };
    const two = group('2', { text: '2', said: typed('2') });
    const first = harness({ press });
    await first.receive(two);
    const answer = first.last().accepted.message;
    assert.deepEqual([answer.text, answer.said, answer.key], ['/deny', '/deny', 'press:q:u']);
    const before: InboundRow = {
      ...accepted(),
      seq: 1,
      runId: 'r',
      state: 'answered',
      steered: false,
      acceptedAt: 0,
      message: answer,
    };
    const later = harness({ press, known: before });
    await later.receive(two);
    assert.equal(later.last().accepted.message.key, 'press:q:u', 'the journal knows it as the same');
    await later.receive(group('3', { text: '2', said: typed('2') }));
    const { text, key } = later.last().accepted.message;
    assert.deepEqual([text, key], ['2', undefined]);
  });

  it('G114 has lines of one kind; words that only look like a line end stay', async () => {
    const s = harness();
    await s.receive(group('1', { text: '@bot /status\r\nand\rmore C:\\new', said: typed('/status\r\nand') }));
    assert.deepEqual(
      [s.last().accepted.message.text, s.last().accepted.message.said],
      ['@bot /status\nand\nmore C:\\new', '/status\nand'],
    );
  });

  it('is not taken while nobody could keep it', async () => {
    await assert.rejects(harness({ accepting: () => false }).receive(group('1')), { code: 'unavailable' });
  });
});

describe('a message nobody can judge', () => {
  it('is turned away and kept, for offered again it would hold up its chat; what passes is offered again', async () => {
    const broken = harness({
      gate: async () => {
        throw new Error('a fault of ours');
      },
    });
    await broken.receive(group('1'));
    assert.match(broken.last().refused!.reason, /access could not be decided: a fault of ours/);
    const full = harness({
      gate: async () => {
        throw new AppError('storage', 'disk full');
      },
    });
    await assert.rejects(full.receive(group('1')), { code: 'storage' });
    assert.equal(full.arrivals.length, 0);
  });
});

describe('group talk', () => {
  it('waits for the next message that addresses the agent, and is delivered once', async () => {
    const s = harness({ admission: refused({ unaddressed: true } as never) });
    for (const id of ['1', '2']) await s.receive(group(id));
    s.answer.admission = allowed;
    await s.receive(group('3'));
    assert.deepEqual(
      s.last().accepted.history?.map(({ text }) => text),
      ['text 1', 'text 2'],
    );
    await s.receive(group('4'));
    assert.equal(s.last().accepted.history, undefined);
  });

  it('of people who may not write here is not kept', async () => {
    const s = harness({ admission: refused() });
    await s.receive(group('1'));
    s.answer.admission = allowed;
    await s.receive(group('2'));
    assert.equal(s.last().accepted.history, undefined);
  });
});

describe('several agents', () => {
  const routes = ['a', 'b', 'c'].map((agentId) => ({
    agentId,
    sessionKey: mainSessionKey(agentId),
    matchedBy: 'peer' as const,
    replyTo: group('1').address,
  }));

  it('G32 each get the message under a key of its own, with the same history', async () => {
    const s = harness({ broadcast: () => ({ routes, strategy: 'parallel', path: 'broadcast.g' }) });
    s.answer.admission = refused({ unaddressed: true } as never);
    await s.receive(group('0'));
    s.answer.admission = allowed;
    await s.receive(group('1'));
    const rows = s.arrivals.at(-1)!.map(({ accepted: row }) => row);
    assert.deepEqual(
      rows.map(({ message }) => message.key),
      ['1@a', '1@b', '1@c'],
    );
    assert.deepEqual(
      rows.map(({ route }) => route.agentId),
      ['a', 'b', 'c'],
    );
    assert.ok(rows.every(({ history, after }) => history?.length === 1 && after === undefined));
  });

  it('G32 in a sequence each waits for the one before', async () => {
    const s = harness({ broadcast: () => ({ routes, strategy: 'sequential', path: 'broadcast.g' }) });
    await s.receive(group('1'));
    const [first, second, third] = s.arrivals.at(-1)!;
    assert.deepEqual(
      [first!.accepted.after, second!.accepted.after, third!.accepted.after],
      [undefined, first!.runId, second!.runId],
    );
  });

  it('G35 run for nothing the access gate refused', async () => {
    const s = harness({
      admission: refused({ unaddressed: true } as never),
      broadcast: () => ({ routes, strategy: 'parallel', path: 'broadcast.g' }),
    });
    await s.receive(group('1'));
    assert.equal(s.arrivals.at(-1)!.length, 1);
    assert.ok(s.last().refused);
  });
});

describe('what several agents were told', () => {
  const routes = ['a', 'b'].map((agentId) => ({
    agentId,
    sessionKey: mainSessionKey(agentId),
    matchedBy: 'peer' as const,
    replyTo: group('1').address,
  }));
  const together = { broadcast: () => ({ routes, strategy: 'sequential' as const, path: 'broadcast.g' }) };

  it('is not answered again when it is edited: each agent gets the edit', async () => {
    const row = accepted();
    const s = harness({
      ...together,
      known: {
        ...row,
        message: { ...row.message, key: '1@a' },
        seq: 1,
        runId: 'r',
        state: 'answered',
        steered: false,
        acceptedAt: 0,
      },
    });
    await s.receive(group('1', { editVersion: 2, text: 'better' }));
    assert.deepEqual(
      s.arrivals.at(-1)!.map(({ accepted: { message, route } }) => [route.agentId, message.key, message.quiet]),
      [
        ['a', '1@a', true],
        ['b', '1@b', true],
      ],
    );
  });
});

describe('what is no new message', () => {
  const known = (state: InboundRow['state']): InboundRow => ({
    ...accepted(),
    seq: 1,
    runId: 'r',
    state,
    steered: false,
    acceptedAt: 0,
  });

  it('an edit of an answered message is delivered with the next turn; an edit of an unseen one is a new message', async () => {
    const edit = group('1', { editVersion: 2, text: 'better' });
    const reported = harness({ known: known('answered') });
    await reported.receive(edit);
    assert.deepEqual(
      [
        reported.last().accepted.message.quiet,
        reported.last().accepted.message.text,
        reported.last().accepted.commands,
      ],
      [true, 'Changed message 1: better', false],
    );
    for (const before of [undefined, known('declined')]) {
      const news = harness(before ? { known: before } : {});
      await news.receive(edit);
      assert.deepEqual([news.last().accepted.message.quiet, news.last().accepted.message.text], [undefined, 'better']);
    }
  });

  it('a press on a surface reaches the session that offered it, as nobody’s words, and no other session', async () => {
    const choice = { label: 'Save', tells: 'CANVAS_A2UI ctx={"a":"/elevated full"}' };
    const pressed = (sessionKey: string) =>
      harness({ press: { choice, sessionKey, key: 'press:1:u', byNumber: false } });
    const own = pressed(mainSessionKey('main'));
    await own.receive(group('1', { addressesBot: false, pressed: 'choice:1' }));
    const { message, options, authority } = own.last().accepted;
    assert.deepEqual(
      [message.text, message.said, message.key, message.addressesBot, options, authority.requester.kind],
      [choice.tells, '', 'press:1:u', true, { thinking: 'low' }, 'people'],
    );
    const lost = pressed('agent:other:main');
    await lost.receive(group('1', { pressed: 'choice:1' }));
    assert.match(lost.last().refused?.notice?.payload.text ?? '', /no longer counts/);
  });

  it('a reaction needs no mention, gives no rights and takes no history', async () => {
    const seen: boolean[] = [];
    const s = harness({ gate: async (message) => (seen.push(message.addressesBot), { admission: allowed, message }) });
    await s.receive(group('1', { quiet: true, addressesBot: false }));
    assert.deepEqual(
      [seen, standingOf(s.last().accepted.authority), s.last().accepted.authority.rights, s.last().accepted.commands],
      [[true], 'nobody', [], false],
    );
  });
});
