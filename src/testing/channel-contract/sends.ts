/** Contract of channels: the bot's messages as people see them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ChannelContract } from './contract.ts';
import { tempDir } from '../temp-dir.ts';
import { openHarness, outbound } from './harness.ts';

const MARKDOWN =
  'A **bold** word, `a < b`, 1 < 2 & 3, [a link](https://example.com/a_b) and <b>no tag</b>.\n\n- one\n- ' +
  'two\n\n```js\nif (a < b) "x";\n```';

export function contractOfSends(contract: ChannelContract): void {
  const { plugin, chats, people } = contract;
  const { capabilities } = plugin;

  it('shows sent messages in order and gives their ids back', async () => {
    await using harness = await openHarness(contract);
    const [one] = await harness.say(chats.direct, { text: 'one' });
    const [two] = await harness.say(chats.direct, { text: 'two' });
    assert.deepEqual(
      harness.platform.seen(chats.direct).map(({ id, text }) => [id, text]),
      [
        [one, 'one'],
        [two, 'two'],
      ],
    );
  });

  it('shows Markdown without a word lost or turned into markup', async () => {
    await using harness = await openHarness(contract);
    await harness.say(chats.group, { text: MARKDOWN });
    const { text } = harness.platform.seen(chats.group)[0]!;
    for (const words of ['bold', 'a < b', '1 < 2 & 3', 'a link', 'no tag', 'one', 'two', 'if (a < b) "x";'])
      assert.ok(text.includes(words), `${words} in ${text}`);
  });

  it('takes text of the length it promises, in any script', async () => {
    await using harness = await openHarness(contract);
    const long = 'Ünïcödé 🦞 '
      .repeat(2000)
      .slice(0, capabilities.maxTextLength - 1)
      .trim();
    await harness.say(chats.direct, { text: long, plain: true });
    assert.equal(
      harness.platform
        .seen(chats.direct)
        .map(({ text }) => text)
        .join(''),
      long,
    );
  });

  it('says it plainly when the platform rejects the markup', async () => {
    await using harness = await openHarness(contract);
    harness.platform.failSends('markup', 1);
    await harness.say(chats.direct, { text: 'still **said**' });
    assert.match(
      harness.platform
        .seen(chats.direct)
        .map(({ text }) => text)
        .join('|'),
      /^still \**said\**$/,
    );
  });

  it('sends a file with its caption, and a voice note', {
    skip: !capabilities.media && 'capabilities.media is false',
  }, async () => {
    await using harness = await openHarness(contract);
    await using dir = await tempDir('channel-media');
    const path = join(dir.path, 'note.ogg');
    await writeFile(path, 'OggS-not-really');
    // Where a file takes no words, they go in a message of their own before they get here.
    const text = capabilities.maxCaptionLength === 0 ? '' : 'listen';
    await harness.say(chats.direct, { text, media: [{ from: 'file', path, mime: 'audio/ogg' }] });
    const [sent] = harness.platform.seen(chats.direct).filter(({ file }) => file);
    assert.deepEqual([sent!.text, sent!.file!.size], [text, 15]);
    if (!capabilities.voice) return;
    await harness.say(chats.direct, { media: [{ from: 'file', path, mime: 'audio/ogg' }], audioAsVoice: true });
    assert.equal(harness.platform.seen(chats.direct).at(-1)!.file!.voice, true);
  });

  it('points at the message it answers, and is sent all the same when that is gone', async () => {
    await using harness = await openHarness(contract);
    const asked = await harness.platform.write({ chat: chats.group, by: people.ann, text: 'a question' });
    await harness.say(chats.group, { text: 'an answer', replyTo: { id: asked } });
    const [seen] = harness.platform.seen(chats.group);
    assert.ok(seen!.replyTo === asked || seen!.threadId === asked, 'a reply, or in the thread of the question');
  });

  it('answers in the thread', { skip: !chats.thread && 'it has no threads' }, async () => {
    await using harness = await openHarness(contract);
    await harness.say(chats.thread!, { text: 'here' });
    assert.equal(harness.platform.seen(chats.thread!).at(-1)!.threadId, chats.thread!.threadId);
  });

  it('edits; the same words again are no error', {
    skip: !capabilities.edit && 'capabilities.edit is false',
  }, async () => {
    await using harness = await openHarness(contract);
    const [id] = await harness.say(chats.direct, { text: 'first words' });
    for (const _ of [1, 2])
      await harness.connection.edit!(harness.address(chats.direct), id!, outbound({ text: 'better words' }, 'edit'));
    assert.deepEqual(
      harness.platform.seen(chats.direct).map(({ text }) => text),
      ['better words'],
    );
    await assert.rejects(
      harness.connection.edit!(
        harness.address(chats.direct),
        `${'9'.repeat(id!.length)}`,
        outbound({ text: 'x' }, 'edit'),
      ),
      { code: 'not_found' },
    );
  });

  it('takes a message back', { skip: !capabilities.remove && 'capabilities.remove is not set' }, async () => {
    await using harness = await openHarness(contract);
    const [id] = await harness.say(chats.direct, { text: 'oops' });
    await harness.connection.remove!(harness.address(chats.direct), id!);
    assert.deepEqual(harness.platform.seen(chats.direct), []);
  });

  it('reacts, and takes the reaction away', {
    skip: !capabilities.react && 'capabilities.react is false',
  }, async () => {
    await using harness = await openHarness(contract);
    const [id] = await harness.say(chats.direct, { text: 'nice' });
    await harness.connection.react!(harness.address(chats.direct), id!, '👍');
    assert.deepEqual(harness.platform.seen(chats.direct)[0]!.reactions, ['👍']);
    await harness.connection.react!(harness.address(chats.direct), id!, '', { remove: true });
    assert.deepEqual(harness.platform.seen(chats.direct)[0]!.reactions, []);
  });

  it('shows that it types', { skip: !capabilities.typing && 'capabilities.typing is false' }, async () => {
    await using harness = await openHarness(contract);
    await harness.connection.typing!(harness.address(chats.direct));
    assert.ok(harness.platform.typed(chats.direct) > 0);
  });
}
