/** What the bot says, as people see it. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ChannelContract } from './contract.ts';
import { tempDir } from '../temp-dir.ts';
import { openStage, outbound } from './stage.ts';

const MARKDOWN =
  'A **bold** word, `a < b`, 1 < 2 & 3, [a link](https://example.com/a_b) and <b>no tag</b>.\n\n- one\n- two\n\n```js\nif (a < b) "x";\n```';

export function contractOfSends(contract: ChannelContract): void {
  const { plugin, chats, people } = contract;
  const { capabilities } = plugin;

  it('shows sent messages in order and gives their ids back', async () => {
    await using stage = await openStage(contract);
    const [one] = await stage.say(chats.direct, { text: 'one' });
    const [two] = await stage.say(chats.direct, { text: 'two' });
    assert.deepEqual(
      stage.platform.seen(chats.direct).map(({ id, text }) => [id, text]),
      [
        [one, 'one'],
        [two, 'two'],
      ],
    );
  });

  it('shows Markdown without a word lost or turned into markup', async () => {
    await using stage = await openStage(contract);
    await stage.say(chats.group, { text: MARKDOWN });
    const { text } = stage.platform.seen(chats.group)[0]!;
    for (const words of ['bold', 'a < b', '1 < 2 & 3', 'a link', 'no tag', 'one', 'two', 'if (a < b) "x";'])
      assert.ok(text.includes(words), `${words} in ${text}`);
  });

  it('takes text of the length it promises, in any script', async () => {
    await using stage = await openStage(contract);
    const long = 'Ünïcödé 🦞 '
      .repeat(2000)
      .slice(0, capabilities.maxTextLength - 1)
      .trim();
    await stage.say(chats.direct, { text: long, plain: true });
    assert.equal(
      stage.platform
        .seen(chats.direct)
        .map(({ text }) => text)
        .join(''),
      long,
    );
  });

  it('says it plainly when the platform rejects the markup', async () => {
    await using stage = await openStage(contract);
    stage.platform.failSends('markup', 1);
    await stage.say(chats.direct, { text: 'still **said**' });
    assert.match(
      stage.platform
        .seen(chats.direct)
        .map(({ text }) => text)
        .join('|'),
      /^still \**said\**$/,
    );
  });

  it('sends a file with its caption, and a voice note', {
    skip: !capabilities.media && 'capabilities.media is false',
  }, async () => {
    await using stage = await openStage(contract);
    await using dir = await tempDir('channel-media');
    const path = join(dir.path, 'note.ogg');
    await writeFile(path, 'OggS-not-really');
    await stage.say(chats.direct, { text: 'listen', media: [{ from: 'file', path, mime: 'audio/ogg' }] });
    const [sent] = stage.platform.seen(chats.direct).filter(({ file }) => file);
    assert.deepEqual([sent!.text, sent!.file!.size], ['listen', 15]);
    if (!capabilities.voice) return;
    await stage.say(chats.direct, { media: [{ from: 'file', path, mime: 'audio/ogg' }], audioAsVoice: true });
    assert.equal(stage.platform.seen(chats.direct).at(-1)!.file!.voice, true);
  });

  it('points at the message it answers, and is sent all the same when that is gone', async () => {
    await using stage = await openStage(contract);
    const asked = await stage.platform.write({ chat: chats.group, by: people.ann, text: 'a question' });
    await stage.say(chats.group, { text: 'an answer', replyTo: { id: asked } });
    const [seen] = stage.platform.seen(chats.group);
    assert.ok(seen!.replyTo === asked || seen!.threadId === asked, 'a reply, or in the thread of the question');
  });

  it('answers in the thread', { skip: !chats.thread && 'it has no threads' }, async () => {
    await using stage = await openStage(contract);
    await stage.say(chats.thread!, { text: 'here' });
    assert.equal(stage.platform.seen(chats.thread!).at(-1)!.threadId, chats.thread!.threadId);
  });

  it('edits; the same words again are no error', {
    skip: !capabilities.edit && 'capabilities.edit is false',
  }, async () => {
    await using stage = await openStage(contract);
    const [id] = await stage.say(chats.direct, { text: 'first words' });
    for (const _ of [1, 2])
      await stage.connection.edit!(stage.address(chats.direct), id!, outbound({ text: 'better words' }, 'edit'));
    assert.deepEqual(
      stage.platform.seen(chats.direct).map(({ text }) => text),
      ['better words'],
    );
    await assert.rejects(
      stage.connection.edit!(stage.address(chats.direct), `${'9'.repeat(id!.length)}`, outbound({ text: 'x' }, 'edit')),
      { code: 'not_found' },
    );
  });

  it('takes a message back', { skip: !capabilities.remove && 'capabilities.remove is not set' }, async () => {
    await using stage = await openStage(contract);
    const [id] = await stage.say(chats.direct, { text: 'oops' });
    await stage.connection.remove!(stage.address(chats.direct), id!);
    assert.deepEqual(stage.platform.seen(chats.direct), []);
  });

  it('reacts, and takes the reaction away', {
    skip: !capabilities.react && 'capabilities.react is false',
  }, async () => {
    await using stage = await openStage(contract);
    const [id] = await stage.say(chats.direct, { text: 'nice' });
    await stage.connection.react!(stage.address(chats.direct), id!, '👍');
    assert.deepEqual(stage.platform.seen(chats.direct)[0]!.reactions, ['👍']);
    await stage.connection.react!(stage.address(chats.direct), id!, '', { remove: true });
    assert.deepEqual(stage.platform.seen(chats.direct)[0]!.reactions, []);
  });

  it('shows that it types', { skip: !capabilities.typing && 'capabilities.typing is false' }, async () => {
    await using stage = await openStage(contract);
    await stage.connection.typing!(stage.address(chats.direct));
    assert.ok(stage.platform.typed(chats.direct) > 0);
  });
}
