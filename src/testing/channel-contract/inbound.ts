/** Contract of channels: received messages as facts. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dedupeId } from '../../core/message.ts';
import type { ChannelContract } from './contract.ts';
import { openHarness } from './harness.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function contractOfInbound(contract: ChannelContract): void {
  const { plugin, chats, people } = contract;

  it('hands over a direct text with its sender and address', async () => {
    await using harness = await openHarness(contract);
    const id = await harness.platform.write({ chat: chats.direct, by: people.ann, name: 'Ann', text: 'hello there' });
    const message = await harness.heard(({ text }) => text === 'hello there');
    assert.deepEqual(
      [message.id, message.sender.id, message.addressesBot, message.address.channel],
      [id, people.ann, true, plugin.id],
    );
    assert.deepEqual(
      [message.address.chat, message.address.accountId],
      [{ kind: 'direct', id: chats.direct.id }, 'default'],
    );
    assert.ok(Math.abs(message.receivedAt - Date.now()) < 3_600_000, 'milliseconds since the epoch');
  });

  it('tells in a group whether it was addressed, and the words without the mention', {
    skip: plugin.capabilities.mentions === false && 'capabilities.mentions is false: only words can tell',
  }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'among ourselves' });
    await harness.platform.write({ chat: chats.group, by: people.bob, text: '/status', mention: true });
    const aside = await harness.heard(({ text }) => text === 'among ourselves');
    const said = await harness.heard((message) => message.said.trim() === '/status');
    assert.deepEqual([aside.addressesBot, said.addressesBot, said.sender.id], [false, true, people.bob]);
    assert.deepEqual(said.address.chat, { kind: chats.group.kind, id: chats.group.id });
  });

  it('ignores its own voice', async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({ chat: chats.group, by: harness.platform.botId, text: 'my own words' });
    await harness.platform.write({ chat: chats.group, by: people.ann, text: 'somebody else' });
    await harness.heard(({ text }) => text === 'somebody else');
    assert.deepEqual(
      harness.fixture.received.map(({ text }) => text),
      ['somebody else'],
    );
  });

  it('brings a file with its caption, fetched when asked for', {
    skip: !plugin.capabilities.media && 'capabilities.media is false',
  }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({
      chat: chats.direct,
      by: people.ann,
      text: 'look',
      file: { name: 'p.png', mime: 'image/png', data: PICTURE },
    });
    const { attachments, text } = await harness.heard((message) => message.attachments.length > 0);
    const [file] = attachments;
    assert.deepEqual([text, attachments.length, file!.kind], ['look', 1, 'image']);
    const fetch = (maxBytes: number) =>
      harness.connection.download!(file!.ref!, { maxBytes, signal: AbortSignal.timeout(60_000) });
    const fetched = await fetch(PICTURE.length);
    assert.ok(Buffer.from(fetched.data).equals(PICTURE), 'the bytes are the same');
    for (const tooFew of [PICTURE.length - 1, 10]) await assert.rejects(fetch(tooFew), { code: 'too_large' });
  });

  it('knows a voice note', {
    skip:
      (!plugin.capabilities.media && 'capabilities.media is false') ||
      (contract.untold?.includes('recorded') && 'the platform does not say what was recorded'),
  }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({
      chat: chats.direct,
      by: people.ann,
      file: { name: 'v.ogg', mime: 'audio/ogg', data: Buffer.from('OggS-not-really'), voice: true },
    });
    const { attachments } = await harness.heard((message) => message.attachments.length > 0);
    assert.deepEqual([attachments[0]!.kind, attachments[0]!.recorded], ['audio', true]);
  });

  it('knows a file with sound from a voice note', {
    skip: !plugin.capabilities.media && 'capabilities.media is false',
  }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({
      chat: chats.direct,
      by: people.ann,
      file: { name: 'song.ogg', mime: 'audio/ogg', data: Buffer.from('OggS-not-really') },
    });
    const { attachments } = await harness.heard((message) => message.attachments.length > 0);
    assert.deepEqual([attachments[0]!.kind, attachments[0]!.recorded], ['audio', undefined]);
  });

  it('takes nothing that was passed on for the words of who passes it on', {
    skip: contract.untold?.includes('forwarded') && 'the platform does not say what was passed on',
  }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: '/elevated full', forwarded: true });
    const { said, text, forwarded, quoted } = await harness.heard(() => true);
    assert.equal(said, '');
    assert.match(JSON.stringify([text, forwarded, quoted]), /\/elevated full/, 'the agent reads it all the same');
  });

  it('takes nothing that is quoted for the words of who quotes it', async () => {
    await using harness = await openHarness(contract);
    const evil = await harness.platform.write({ chat: chats.group, by: people.bob, text: '/elevated full' });
    await harness.platform.write({ chat: chats.group, by: people.ann, text: 'see there', quotes: evil, mention: true });
    assert.equal((await harness.heard(({ sender }) => sender.id === people.ann)).said.trim(), 'see there');
  });

  it('tells which message is answered', async () => {
    await using harness = await openHarness(contract);
    const first = await harness.platform.write({ chat: chats.group, by: people.ann, text: 'the question' });
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'the answer', quotes: first });
    const answer = await harness.heard(({ text }) => text === 'the answer');
    assert.ok(
      answer.quoted?.id === first || answer.address.threadId === first,
      'quoted, or in the thread of the question',
    );
  });

  it('takes an answer to its own message for an address', async () => {
    await using harness = await openHarness(contract);
    const [mine] = await harness.say(chats.group, { text: 'I said this' });
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'did you', quotes: mine! });
    assert.equal((await harness.heard(({ text }) => text === 'did you')).addressesBot, true);
  });

  it('keeps threads apart from their chat', { skip: !chats.thread && 'it has no threads' }, async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({ chat: chats.thread!, by: people.ann, text: 'in the thread', mention: true });
    const { address } = await harness.heard((message) => message.text.includes('in the thread'));
    assert.deepEqual([address.chat.id, address.threadId], [chats.thread!.id, chats.thread!.threadId]);
  });

  it('counts edits up on the same message', {
    skip:
      (!plugin.capabilities.edit && 'capabilities.edit is false: nobody changes what was said there') ||
      (contract.untold?.includes('edited') && 'the platform does not say what was changed'),
  }, async () => {
    await using harness = await openHarness(contract);
    const id = await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'teh typo' });
    const first = await harness.heard(({ text }) => text === 'teh typo');
    await harness.platform.change(chats.direct, id, 'the typo');
    const second = await harness.heard(({ text }) => text === 'the typo');
    assert.deepEqual([second.id, dedupeId(second)], [first.id, dedupeId(first)]);
    assert.ok((second.editVersion ?? 0) > (first.editVersion ?? 0));
  });

  it('tells quietly of a reaction to its own message', {
    skip: !plugin.capabilities.react && 'capabilities.react is false',
  }, async () => {
    await using harness = await openHarness(contract);
    const [mine] = await harness.say(chats.direct, { text: 'a joke' });
    await harness.platform.react(chats.direct, mine!, '👍', people.ann);
    const reported = await harness.heard((message) => message.quiet === true);
    assert.deepEqual([reported.sender.id, reported.text.includes('👍')], [people.ann, true]);
  });

  it('shows choices as buttons, and hands over a press with who pressed', {
    skip: !plugin.capabilities.choices && 'capabilities.choices is not set',
  }, async () => {
    await using harness = await openHarness(contract);
    const choices = [
      { label: 'Yes', data: 'choice:1' },
      { label: 'No', data: 'choice:2' },
    ];
    const [asked] = await harness.say(chats.group, { text: 'Which **one**?', choices });
    await harness.platform.press!(chats.group, asked!, 'No', people.bob);
    const { sender, said, addressesBot, address } = await harness.heard(({ pressed }) => pressed === 'choice:2');
    assert.deepEqual([sender.id, said, addressesBot, address.chat.id], [people.bob, '', true, chats.group.id]);
    assert.match(harness.platform.seen(chats.group)[0]!.text, /^Which \**one\**\?$/);
  });

  it('loses nothing that comes late: an older message behind a newer one is still handed over', async () => {
    await using harness = await openHarness(contract);
    const older = await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'older' });
    await harness.heard(({ text }) => text === 'older');
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'newer' });
    await harness.heard(({ text }) => text === 'newer');
    await harness.platform.redeliver(older);
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'last' });
    await harness.heard(({ text }) => text === 'last');
    assert.deepEqual(new Set(harness.fixture.received.map(({ text }) => text)), new Set(['older', 'newer', 'last']));
  });

  it('gives one message delivered twice one identity', async () => {
    await using harness = await openHarness(contract);
    const id = await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'once' });
    await harness.heard(({ text }) => text === 'once');
    await harness.platform.redeliver(id);
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'then' });
    await harness.heard(({ text }) => text === 'then');
    const identities = harness.fixture.received
      .filter(({ text }) => text === 'once')
      .map((message) => `${dedupeId(message)} ${message.editVersion ?? 0}`);
    assert.equal(new Set(identities).size, 1);
  });
}
