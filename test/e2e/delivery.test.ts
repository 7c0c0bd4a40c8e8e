/** How answers leave: cut, pointed, prefixed, with files, early or at once, in order, once. */
import assert from 'node:assert/strict';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AppError } from '../../src/core/errors.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import type { FakeReply } from '../../src/testing/fake-models/wire.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { desks, type Desk } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

interface Stage extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly desk: Desk;
  texts(): string[];
  /** Waits until the bot's messages are these. */
  shows(texts: readonly string[]): Promise<void>;
  ask(text: string, ...replies: readonly FakeReply[]): Promise<void>;
}

async function open(
  table: string,
  { channel = {}, config = {} }: { channel?: object; config?: object } = {},
): Promise<Stage> {
  const gateway = await startGateway({
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      channels: { desk: { table, allowFrom: ['ann'], groups: { '*': {} }, ...channel } },
      ...config,
    },
  });
  await until(() => desks.get(table), 'the desk');
  const texts = (): string[] => desks.get(table)!.sent.map(({ text }) => text);
  return {
    gateway,
    texts,
    get desk() {
      return desks.get(table)!;
    },
    shows: async (wanted) => {
      await until(
        () => texts().length >= wanted.length && texts().at(-1) === wanted.at(-1),
        `messages ${JSON.stringify(wanted)}`,
      );
      assert.deepEqual(texts(), wanted);
    },
    ask: async (text, ...replies) => {
      gateway.models.reply(...replies);
      await desks.get(table)!.write({ text });
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('an answer', () => {
  it('G155 G158 that is long comes in several messages, in order, the first pointing at the question', async () => {
    await using stage = await open('long', { channel: { textChunkLimit: 100, replyToMode: 'first' } });
    await stage.ask('go', { text: [words(30)] });
    await until(() => stage.texts().join(' ') === words(30), 'all of it');
    assert.ok(stage.texts().length > 2 && stage.texts().every((text) => text.length <= 100));
    assert.deepEqual(
      stage.desk.sent.map(({ message }) => (message.payload.replyTo as { id: string } | undefined)?.id).slice(0, 2),
      ['m1', undefined],
    );
    assert.match(stage.desk.sent[0]!.message.token, /:0$/);
    assert.match(stage.desk.sent[1]!.message.token, /:1$/);
  });

  it('G153 G154 has its prefix, and none of its directives', async () => {
    await using stage = await open('prefix', {
      config: {
        messages: { responsePrefix: '[{identity.name}/{model}]' },
        agents: { list: [{ id: 'main', identity: { name: 'Clawd' } }] },
      },
    });
    await stage.ask('go', { text: ['[[reply_to:m7]] hi', '[embed ref="x" /]'] });
    await until(() => stage.desk.sent[0], 'the answer');
    assert.match(stage.texts()[0]!, /^\[Clawd\/[\w.-]+\] hi$/);
  });

  it('G152 that is silence is none', async () => {
    await using stage = await open('silence');
    await stage.ask('go', { text: ['NO_', 'REPLY'] });
    await stage.ask('and?', { text: ['now'] });
    await stage.shows(['now']);
  });

  it('G057 G165 brings the files it may, each once, its words with the first', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await using stage = await open('files', { config: { agents: { defaults: { workspace } } } });
    await writeFile(join(workspace, 'a.png'), 'png');
    await stage.ask('go', {
      text: [
        'here\nMEDIA:a.png\nMEDIA:./a.png\nMEDIA:/etc/passwd\nMEDIA:http://example.com/x.png\nMEDIA:https://10.0.0.1/x.png\nMEDIA:https://example.com/y.png',
      ],
    });
    await until(() => stage.desk.sent.length === 3, 'words and two files');
    assert.deepEqual(
      stage.desk.sent.map(({ message: { payload } }) =>
        payload.media?.map((file) => (file.from === 'file' ? file.path.replace(workspace, '') : file.url)),
      ),
      [undefined, ['/a.png'], ['https://example.com/y.png']],
    );
    assert.equal(
      stage.texts()[0],
      'here\n(passwd was not sent: only files of the workspace can be.)\n(x.png was not sent: only public https addresses are.)',
    );
  });

  it('that is nothing but a refused file or an embed says so', async () => {
    await using stage = await open('refused');
    const cases: readonly (readonly [string, string])[] = [
      ['MEDIA:missing.png', '(missing.png was not sent: there is no such file.)'],
      ['NO_REPLY\nMEDIA:/etc/passwd', '(passwd was not sent: only files of the workspace can be.)'],
      ['[embed ref="cv_1" title="Status" /]', '(Status is shown in the Control UI only.)'],
      ['[embed url="https://example.com/board" title="Board" /]', 'Board: https://example.com/board'],
      ['words\n[embed ref="cv_1" title="Status" /]', 'words'],
    ];
    for (const [index, [written, shown]] of cases.entries()) {
      await stage.ask(`case ${index}`, { text: [written] });
      await until(() => stage.texts().length > index, written);
      assert.equal(stage.texts()[index], shown);
    }
  });
});

describe('what the message tool sent', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const call = (args: object, id = 'c1'): FakeReply => ({ calls: [{ id, name: 'message', args }] });

  it('goes by the payload of the seed, is typed by its bytes, and is neither said nor sent again by the answer', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await writeFile(join(workspace, 'image.txt'), PNG);
    await writeFile(join(workspace, 'copy.png'), PNG);
    await writeFile(join(workspace, 'other.png'), Buffer.concat([PNG, PNG]));
    const cases: readonly (readonly [string, object, string, unknown])[] = [
      [
        'one',
        { message: 'Here is your image.', mediaUrl: `${workspace}/image.txt` },
        'Here is your image.\nMEDIA:copy.png',
        [['Here is your image.', [['image.txt', 'image/png']]]],
      ],
      [
        'many',
        { message: 'Two at once, as you wished.', mediaUrls: ['copy.png', 'other.png', './copy.png'] },
        'at once, as you wished.\nMEDIA:image.txt\nMEDIA:other.png',
        [
          ['Two at once, as you wished.', [['copy.png', 'image/png']]],
          [undefined, [['other.png', 'image/png']]],
        ],
      ],
      [
        'more',
        { message: 'One.', mediaUrl: 'copy.png' },
        'And another.\nMEDIA:copy.png\nMEDIA:other.png',
        [
          ['One.', [['copy.png', 'image/png']]],
          ['And another.', [[undefined, 'image/png']]],
        ],
      ],
    ];
    for (const [table, args, answer, wanted] of cases) {
      await using stage = await open(table, { config: { agents: { defaults: { workspace } } } });
      await using chat = await stage.gateway.connect();
      await stage.ask('draw', call(args), { text: [answer] });
      await chat.event((frame) => frame.event === 'chat' && frame.payload.state === 'final');
      await stage.ask('and?', { text: ['end'] });
      await until(() => stage.texts().at(-1) === 'end', 'the last');
      assert.deepEqual(
        stage.desk.sent
          .slice(0, -1)
          .map(({ message: { payload } }) => [
            payload.text,
            payload.media?.map((file) => [file.name, 'mime' in file ? file.mime : file.url]),
          ]),
        wanted,
        table,
      );
    }
  });

  it('is said in the answer where it was another chat, and its new files go out', async () => {
    await using folder = await tempDir('workspace');
    const workspace = await realpath(folder.path);
    await using stage = await open('elsewhere', { config: { agents: { defaults: { workspace } } } });
    await writeFile(join(workspace, 'a.png'), PNG);
    await stage.ask('tell bob', call({ target: 'bob', message: 'Ann sends a picture.', mediaUrl: 'a.png' }), {
      text: ['Ann sends a picture.\nMEDIA:a.png'],
    });
    await until(() => stage.desk.sent.length === 2, 'both');
    assert.deepEqual(
      stage.desk.sent.map(({ to, message: { payload } }) => [to.chat.id, payload.media?.length]),
      [
        ['bob', 1],
        ['ann', 1],
      ],
    );
  });

  it('is no address but a public one over https', async () => {
    await using stage = await open('addresses');
    const bad = [
      'http://example.com/x.png',
      'https://10.0.0.1/x.png',
      'https://localhost/x',
      'data:image/png;base64,AA',
      'ftp://example.com/x',
      'https://me:pw@example.com/x',
    ];
    for (const [index, mediaUrl] of bad.entries()) {
      await stage.ask(`send ${index}`, call({ message: 'x', mediaUrl }), { text: [`no ${index}`] });
      await until(() => stage.texts().at(-1) === `no ${index}`, mediaUrl);
    }
    assert.equal(stage.desk.sent.length, bad.length, 'nothing but the answers');
  });
});

describe('while an answer is written', () => {
  const slow = 'This is the beginning of an answer that takes its time. ';

  it('a quick one is sent once, after the sign that the message was seen', async () => {
    await using stage = await open('quick', {
      channel: { streaming: 'preview', ackReaction: '👀' },
      config: { messages: { ackReactionScope: 'all', removeAckAfterReply: true } },
    });
    await stage.ask('go', { text: ['quick'] });
    await stage.shows(['quick']);
    await until(() => stage.desk.reactions.length === 2, 'the reaction is gone');
    assert.deepEqual(stage.desk.reactions, [
      { id: 'm1', emoji: '👀', removed: false },
      { id: 'm1', emoji: '👀', removed: true },
    ]);
  });

  it('one that takes its time is announced by typing', async () => {
    await using stage = await open('typing');
    const answer = Promise.withResolvers<void>();
    await stage.ask('go', { text: ['at', ' last'], pause: answer.promise });
    await until(() => stage.desk.typed > 0, 'it types');
    answer.resolve();
    await stage.shows(['at last']);
  });

  it('one message shows it and becomes it', async () => {
    await using stage = await open('preview', { channel: { streaming: 'preview' } });
    const rest = Promise.withResolvers<void>();
    await stage.ask('go', { text: [slow, 'The end.'], pause: rest.promise });
    await stage.shows([slow.trim()]);
    rest.resolve();
    await stage.shows([`${slow}The end.`]);
    assert.equal(stage.desk.sent.length, 1);
    await using chat = await stage.gateway.connect();
    const { runId } = stage.desk.sent[0]!.message;
    await until(
      async () => /"shown"[\s\S]*"delivered"/.test(JSON.stringify(await chat.call('chat.timeline', { runId }))),
      'both in the timeline',
    );
  });

  it('G161 tools are told of in a direct chat to who asked, and never in a group', async () => {
    await using stage = await open('tools');
    await stage.ask('/verbose on');
    await until(() => stage.texts().length === 1, 'the command is answered');
    const call: FakeReply = { calls: [{ id: 'c1', name: 'read', args: { path: 'nothing.md' } }] };
    await stage.ask('look', call, { text: ['done'] });
    await until(() => stage.texts().at(-1) === 'done', 'the answer');
    assert.deepEqual(stage.texts().slice(1), ['🔧 read: `nothing.md`', 'done']);
    stage.gateway.models.reply(call, { text: ['in the group'] });
    await stage.desk.write({ text: '/verbose on look', group: 'family', addressesBot: true });
    await until(() => stage.texts().at(-1) === 'in the group', 'the answer');
    assert.equal(stage.texts().filter((text) => text.startsWith('🔧')).length, 1);
  });

  it('a preview of an earlier life becomes the answer of the next', async () => {
    await using stage = await open('crash', { channel: { streaming: 'preview' } });
    await stage.ask('go', { hang: true, text: [slow] });
    await stage.shows([slow.trim()]);
    const before = stage.desk.sent;
    stage.gateway.models.reply({ text: [`${slow}The end.`] });
    await stage.gateway.restart({ graceMs: 0, while: () => void desks.delete('crash') });
    await until(() => desks.get('crash')?.edited?.length, 'an edit');
    assert.deepEqual(
      [before.length, stage.desk.edited, stage.desk.sent.length],
      [1, [{ id: 's1', text: `${slow}The end.` }], 0],
    );
  });

  it('G160 blocks say it as they are finished, and the answer only the rest', async () => {
    await using stage = await open('blocks', {
      channel: { blockStreaming: true },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    const rest = Promise.withResolvers<void>();
    await stage.ask('go', {
      text: ['The first paragraph.\n\nThe second paragraph.\n\n', 'And the end.'],
      pause: rest.promise,
    });
    await stage.shows(['The first paragraph.']);
    rest.resolve();
    await until(() => stage.texts().at(-1)!.endsWith('And the end.'), 'the end');
    assert.equal(stage.texts().join('\n\n'), 'The first paragraph.\n\nThe second paragraph.\n\nAnd the end.');
  });

  it('blocks of an earlier life are not said again', async () => {
    await using stage = await open('crash-blocks', {
      channel: { streaming: 'blocks', responsePrefix: '[C]' },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    await stage.ask('go', { hang: true, text: ['The first paragraph.\n\nThe second'] });
    await stage.shows(['[C] The first paragraph.']);
    stage.gateway.models.reply({ text: ['The first paragraph.\n\nThe second paragraph.'] });
    await stage.gateway.restart({ graceMs: 0, while: () => void desks.delete('crash-blocks') });
    await until(() => desks.get('crash-blocks')?.sent.length, 'the rest');
    await stage.shows(['The second paragraph.']);
  });

  it('G160 a block that cannot be sent leaves all of it to the answer', async () => {
    await using stage = await open('broken-block', {
      channel: { streaming: 'blocks' },
      config: { agents: { defaults: { blockStreamingChunk: { minChars: 10, maxChars: 60 } } } },
    });
    const rest = Promise.withResolvers<void>();
    stage.desk.failures.push(new AppError('denied', 'not now'));
    await stage.ask('go', { text: ['The first paragraph.\n\nThe second', ' paragraph.'], pause: rest.promise });
    await until(() => stage.desk.failures.length === 0, 'the refusal');
    rest.resolve();
    await stage.shows(['The first paragraph.\n\nThe second paragraph.']);
  });
});

describe('what a platform refuses', () => {
  it('for now is sent again, in order', async () => {
    await using stage = await open('busy', { channel: { textChunkLimit: 100 } });
    stage.desk.failures.push(new AppError('rate_limited', 'slow down', { retryAfterMs: 30 }));
    await stage.ask('go', { text: [words(20)] });
    await until(() => stage.texts().join(' ') === words(20), 'all of it, in order');
  });

  it('for good is told in the conversation, and the rest goes on', async () => {
    await using stage = await open('refused', { channel: { textChunkLimit: 100 } });
    stage.desk.failures.push(new AppError('denied', 'no such chat'));
    await stage.ask('go', { text: [words(20)] });
    await until(() => stage.texts().join(' ').endsWith('word19'), 'the rest');
    await using chat = await stage.gateway.connect();
    await until(
      async () =>
        (await chat.history('main')).some(({ text }) =>
          /Not delivered to desk[\s\S]*no such chat[\s\S]*word0/.test(text),
        ),
      'the note',
    );
  });
});
