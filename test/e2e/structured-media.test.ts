/**
 * Files that tools attach to an answer, on channels and in the web chat: each once, none lost, none that is forbidden.
 */
import assert from 'node:assert/strict';
import { link, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import type { FakeReply } from '../../src/testing/fake-models/wire.ts';
import { until } from '../../src/testing/until.ts';
import { desks } from '../fixtures/desk-channel/index.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const plugins = { load: { paths: [join(FIXTURES, 'desk-channel'), join(FIXTURES, 'giving-tool')] } };
const give = (details: object, id = 'a'): FakeReply => ({ calls: [{ id, name: 'give', args: { details } }] });
const workspaceOf = ({ stateDir }: RunningGateway): string => join(stateDir, '..', 'clawd');

async function open(table: string, channel: object = {}) {
  const gateway = await startGateway({
    config: { plugins, channels: { desk: { table, allowFrom: ['ann'], ...channel } } },
  });
  const chat = await gateway.connect();
  const desk = await until(() => desks.get(table), 'the desk');
  const ask = async (
    ...replies: FakeReply[]
  ): Promise<(readonly [text: string | undefined, file: string | undefined])[]> => {
    const before = desk.sent.length;
    gateway.models.reply(...replies);
    await desk.write({ text: 'go' });
    await until(() => desk.sent.length > before, 'an answer');
    await until(async () => {
      const { activeTurns, queuedMessages, outboxPending } = await chat.call('status');
      return activeTurns + queuedMessages + outboxPending === 0;
    }, 'the end');
    return desk.sent.slice(before).map(({ message: { payload } }) => {
      const [file] = payload.media ?? [];
      return [payload.text, file && (file.from === 'file' ? file.name : file.url)] as const;
    });
  };
  await ask({ text: ['hello'] });
  for (const name of ['a.png', 'b.png', 'c.txt']) await writeFile(join(workspaceOf(gateway), name), `file ${name}`);
  return { gateway, desk, ask };
}

describe('files that tools attach', () => {
  it('T174 go out one by one, the words with the first, in every documented form', async () => {
    const { gateway, ask } = await open('media-forms');
    await using _ = gateway;
    for (const details of [
      { mediaUrls: ['a.png', './b.png'] },
      { mediaUrl: 'a.png', media: 'b.png' },
      { attachments: [{ media: 'a.png' }, { media: join(workspaceOf(gateway), 'b.png') }] },
      { media: [{ from: 'file', path: 'a.png', mime: 'image/png' }, 'b.png', 'a.png'] },
    ])
      assert.deepEqual(await ask(give(details), { text: ['Two pictures.'] }), [
        ['Two pictures.', 'a.png'],
        [undefined, 'b.png'],
      ]);
  });

  it('come also where the answer is silence; before those that words name, each once', async () => {
    const { gateway, ask } = await open('media-alone');
    await using _ = gateway;
    assert.deepEqual(await ask(give({ mediaUrl: 'a.png' }), { text: ['NO_REPLY'] }), [[undefined, 'a.png']]);
    assert.deepEqual(await ask(give({ mediaUrl: 'b.png' }), { text: ['Here.\nMEDIA:a.png\nMEDIA:b.png'] }), [
      ['Here.', 'b.png'],
      [undefined, 'a.png'],
    ]);
  });

  it('that the message tool sent there are not sent again', async () => {
    const { gateway, ask } = await open('media-sent');
    await using _ = gateway;
    const sent = await ask(
      { calls: [{ id: 'm', name: 'message', args: { message: 'First.', mediaUrl: 'a.png' } }] },
      give({ mediaUrls: ['a.png', 'b.png'] }),
      { text: ['And the rest.'] },
    );
    assert.deepEqual(
      sent.map(([, file]) => file),
      sent.map(([text]) => (text === 'First.' ? sent[0]![1] : 'b.png')),
    );
    assert.deepEqual(
      sent.map(([text]) => text),
      ['First.', 'And the rest.'],
    );
  });

  it('are refused by the same rules as those that words name, in one line each', async () => {
    const { gateway, ask } = await open('media-refused');
    await using _ = gateway;
    const workspace = workspaceOf(gateway);
    await symlink('/etc/hostname', join(workspace, 'link.png'));
    await link(join(gateway.stateDir, 'clawdbot.json'), join(workspace, 'hard.png'));
    const answer = await ask(
      give({
        mediaUrls: [
          '/etc/passwd',
          '../x',
          'link.png',
          'hard.png',
          'none.png',
          'http://example.com/a1',
          'https://10.0.0.1/a2',
          'https://localhost/a3',
          'data:text/plain,x',
          '/dev/zero',
          '~root/x',
        ],
      }),
      { text: ['See.'] },
    );
    const lines = answer.flatMap(([text = '']) => text.split('\n'));
    assert.equal(lines[0], 'See.');
    assert.equal(lines.length, 12);
    for (const line of lines.slice(1)) assert.match(line, /^\(.+ was not sent: .+\.\)$/);
  });

  it('U173 that only the end of a streamed answer has are not lost', async () => {
    const { gateway, ask } = await open('media-blocks', { blockStreaming: true });
    await using _ = gateway;
    const sent = await ask(give({ mediaUrl: 'a.png' }), {
      text: ['First paragraph.\n\n', 'Second.\n\n', 'MEDIA:b.png'],
    });
    assert.deepEqual(
      sent.flatMap(([, file]) => file ?? []),
      ['a.png', 'b.png'],
    );
    assert.equal(
      sent
        .flatMap(([text]) => text ?? [])
        .join('\n')
        .match(/First paragraph/g)?.length,
      1,
    );
    assert.ok(!sent.some(([text]) => /MEDIA/.test(text ?? '')));
  });

  it('are shown in the web chat, in the history, and named by the OpenAI endpoint', async () => {
    const { gateway } = await open('media-web');
    await using _ = gateway;
    await using chat = await gateway.connect();
    gateway.models.reply(give({ mediaUrl: 'a.png' }), { text: ['A picture.'] });
    const { payload } = await (await chat.send('go')).ended;
    assert.deepEqual(
      payload.message.files.map(({ name }: any) => name),
      ['a.png'],
    );
    const { messages } = await chat.call('chat.history', { sessionKey: 'main' });
    assert.deepEqual(
      messages.at(-1).files.map(({ name }: any) => name),
      ['a.png'],
    );
    assert.deepEqual(messages.at(-1).content, [{ type: 'text', text: 'A picture.' }]);
  });
});
