/** Every kind of WhatsApp message and its result; identities, failures and floods. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { AppError } from '../../core/errors.ts';
import { outbound } from '../../testing/channel-contract/harness.ts';
import { until } from '../../testing/until.ts';
import type { Chat } from '../../testing/channel-platform.ts';
import type { WaContent } from './content.ts';
import { mediaFields } from './library/fake.ts';
import { BOT, BOT_LID, lidOf } from './fake.ts';
import { ANN, BOB, direct, group, stage } from './harness.ts';
import whatsapp from './index.ts';
import { jidOf } from './ids.ts';

test('every kind of content is read, in whatever it is wrapped', async () => {
  await using on = await stage();
  const place = { degreesLatitude: 52.5, degreesLongitude: 13.4, name: 'Café', address: 'Mitte' };
  assert.deepEqual((await on.receives({ locationMessage: place })).location, {
    latitude: 52.5,
    longitude: 13.4,
    name: 'Café',
    address: 'Mitte',
  });
  assert.equal((await on.receives({ liveLocationMessage: place })).location?.live, true);
  const vcard = 'BEGIN:VCARD\nFN:Eve\nitem1.TEL;type=CELL;waid=49151:+49 151\nTEL:+1 555\nEND:VCARD';
  assert.deepEqual((await on.receives({ contactMessage: { displayName: 'Eve', vcard } })).contacts, [
    { name: 'Eve', phones: ['+49 151', '+1 555'] },
  ]);
  const options = [{ optionName: 'Yes' }, { optionName: 'No' }];
  assert.equal((await on.receives({ pollCreationMessageV3: { name: 'Go?', options } })).text, 'poll: Go?\n- Yes\n- No');
  const sticker = await on.receives({
    stickerMessage: { ...mediaFields(Buffer.from('RIFF')), mimetype: 'image/webp' },
  });
  assert.deepEqual([sticker.text, sticker.attachments[0]!.kind], ['<media:sticker>', 'image']);
  const film = { ...mediaFields(Buffer.from('film')), caption: 'look' };
  const video = await on.receives({
    ephemeralMessage: { message: { viewOnceMessageV2: { message: { videoMessage: film } } } },
  });
  assert.deepEqual([video.text, video.said, video.attachments[0]!.kind], ['[view once] look', 'look', 'video']);
  const paper = {
    ...mediaFields(Buffer.from('%PDF')),
    mimetype: 'application/pdf',
    fileName: 'a.pdf',
    caption: 'read',
  };
  const document = await on.receives({ documentWithCaptionMessage: { message: { documentMessage: paper } } });
  assert.deepEqual([document.text, document.attachments[0]!.name], ['read', 'a.pdf']);
});

test('what is no message, or makes no sense, is passed over and holds nothing up', async () => {
  await using on = await stage();
  let deep: WaContent = { conversation: 'deep' };
  for (let depth = 0; depth < 20; depth++) deep = { ephemeralMessage: { message: deep } };
  const odd: readonly WaContent[] = [
    {},
    { conversation: '' },
    { protocolMessage: { type: 99 } },
    { protocolMessage: { type: 14, key: {} } },
    { reactionMessage: { key: null, text: '👍' } },
    { locationMessage: { degreesLatitude: 999, degreesLongitude: 0 } },
    { imageMessage: null },
    deep,
  ];
  for (const content of odd) await on.platform.bring(content, { chat: direct, by: ANN });
  await on.platform.bring({ conversation: 'real' }, { chat: direct, by: ANN });
  await on.harness.heard(({ text }) => text === 'real');
  assert.equal(on.harness.fixture.received.length, 1);
});

test('a person is one person, by number, by LID, and by LID alone once it is known', async () => {
  await using on = await stage();
  const text = { conversation: 'it is me' };
  for (const as of ['phone', 'lid', 'lid-only'] as const) {
    const { sender, address } = await on.receives(text, { as });
    assert.deepEqual([sender.id, address.chat.id], [ANN, ANN], as);
  }
  const inGroup = await on.receives(text, { chat: group, as: 'lid-only' });
  assert.deepEqual([inGroup.sender.id, inGroup.address.chat.id, inGroup.place?.chat], [ANN, group.id, 'Family']);
  const stranger = await on.receives(text, { by: BOB, chat: { kind: 'direct', id: BOB }, as: 'lid-only' });
  assert.equal(stranger.sender.id, lidOf(BOB), 'nobody told the number');
});

test('a mention by LID, by number and in words is heard; one of somebody else is not', async () => {
  await using on = await stage();
  const said = (text: string, mentionedJid: readonly string[] = []) =>
    on.receives({ extendedTextMessage: { text, contextInfo: { mentionedJid } } }, { chat: group, by: BOB, as: 'lid' });
  const byLid = await said(`@${BOT_LID.split('@')[0]} hello`, [BOT_LID]);
  assert.deepEqual([byLid.addressesBot, byLid.text, byLid.said], [true, 'hello', 'hello']);
  assert.equal((await said(`@${BOT.slice(1)} hello`, [jidOf(BOT)])).addressesBot, true);
  assert.equal((await said('call +1 (555) 000-9999 please')).addressesBot, true);
  const other = await said('@15550001001 hello', [jidOf(ANN)]);
  assert.deepEqual([other.addressesBot, other.mentionsOthers], [false, true]);
});

test('edits and deletions come from the author alone', async () => {
  await using on = await stage();
  const id = await on.platform.bring({ conversation: 'first' }, { chat: group, by: ANN });
  await on.harness.heard(({ text }) => text === 'first');
  const about = { key: { id, remoteJid: group.id, participant: jidOf(ANN) } };
  const change = { protocolMessage: { type: 14, ...about, editedMessage: { conversation: 'forged' }, timestampMs: 5 } };
  await on.platform.bring(change, { chat: group, by: BOB });
  await on.platform.bring({ protocolMessage: { type: 0, ...about } }, { chat: group, by: BOB });
  const deleted = await on.receives({ protocolMessage: { type: 0, ...about } }, { chat: group, by: ANN });
  assert.deepEqual([deleted.quiet, deleted.id, /deleted message/.test(deleted.text)], [true, id, true]);
  assert.equal(on.harness.fixture.received.length, 2);
});

test('reactions are reported as configured', async () => {
  for (const [mode, expected] of [
    ['off', 0],
    ['own', 1],
    ['all', 2],
  ] as const) {
    await using on = await stage({ reactionNotifications: mode });
    const [mine] = await on.harness.say(direct, { text: 'a joke' });
    const theirs = await on.platform.write({ chat: direct, by: ANN, text: 'theirs' });
    await on.platform.react(direct, mine!, '👍', ANN);
    await on.platform.react(direct, theirs, '🎉', ANN);
    await on.platform.write({ chat: direct, by: ANN, text: 'last' });
    await on.harness.heard(({ text }) => text === 'last');
    assert.equal(on.harness.fixture.received.filter(({ quiet }) => quiet).length, expected, mode);
  }
});

test('a poll is sent, and a vote in it is reported by its words', async () => {
  await using on = await stage();
  const { messageIds } = await on.harness.connection.poll!(on.harness.address(group), {
    question: 'Lunch?',
    options: ['Soup', 'Salad'],
    maxSelections: 1,
  });
  on.platform.vote(messageIds[0]!, group, ['Soup'], BOB);
  const vote = await on.harness.heard(({ quiet }) => quiet === true);
  assert.deepEqual([vote.sender.id, vote.text.includes('voted for Soup')], [BOB, true]);
});

test('messages are marked as read when the agent turns to their chat, and no others', async () => {
  await using on = await stage();
  const id = await on.platform.write({ chat: direct, by: ANN, text: 'seen?' });
  await on.platform.write({ chat: group, by: BOB, text: 'not for the agent' });
  await until(() => on.harness.fixture.received.length === 2, 'both');
  assert.deepEqual(on.platform.read, []);
  await on.harness.connection.typing!(on.harness.address(direct));
  await until(() => on.platform.read.length > 0, 'the receipt');
  assert.deepEqual(on.platform.read, [id]);
  await using quiet = await stage({ sendReadReceipts: false });
  await quiet.platform.write({ chat: direct, by: ANN, text: 'seen?' });
  await quiet.harness.heard(() => true);
  await quiet.harness.say(direct, { text: 'yes' });
  assert.deepEqual(quiet.platform.read, []);
});

test('with the own number only the chat with oneself is the agent, and answers say whose they are', async () => {
  await using on = await stage({ selfChatMode: true, allowFrom: [BOT], name: 'Robo' });
  const self: Chat = { kind: 'direct', id: BOT };
  const note = await on.receives({ conversation: 'note to self' }, { chat: self, by: BOT });
  assert.deepEqual([note.sender.id, note.address.chat.id, note.said], [BOT, BOT, 'note to self']);
  await on.harness.say(self, { text: 'noted' });
  assert.deepEqual(
    on.platform.seen(self).map(({ text }) => text),
    ['[Robo] noted'],
  );
  await on.platform.bring({ conversation: 'to Ann, from my phone' }, { chat: direct, by: BOT });
  await on.platform.write({ chat: direct, by: ANN, text: 'last' });
  await on.harness.heard(({ text }) => text === 'last');
  assert.equal(on.harness.fixture.received.length, 2, 'what the owner writes to others is not for the agent');
  const place = { chat: { kind: 'direct' as const, id: ANN }, settingsPath: 'channels.whatsapp' };
  const rules = whatsapp.rules!(on.harness.fixture.account.config, place);
  assert.deepEqual([rules.direct.value, rules.direct.path], ['allowlist', 'channels.whatsapp.selfChatMode']);
  assert.equal(on.harness.fixture.facts.problems?.length ?? 0, 0);
  await using closed = await stage({ selfChatMode: true });
  assert.match(JSON.stringify(closed.harness.fixture.facts.problems), /Add \\"\+15550009999\\" to/);
});

test('answers disappear where messages do', async () => {
  await using on = await stage();
  const context = (expiration: number) => ({ extendedTextMessage: { text: 'psst', contextInfo: { expiration } } });
  await on.receives(context(604_800));
  await on.harness.say(direct, { text: 'gone in a week' });
  assert.equal(on.platform.sent.at(-1)!.message.extendedTextMessage!.contextInfo!.expiration, 604_800);
  await on.platform.bring({ protocolMessage: { type: 3, ephemeralExpiration: 0 } }, { chat: direct, by: ANN });
  await on.receives({ conversation: 'stays' });
  await on.harness.say(direct, { text: 'stays' });
  assert.equal(on.platform.sent.at(-1)!.message.extendedTextMessage!.contextInfo!.expiration, undefined);
});

test('files go as what they are: picture, film, recording, voice note, document', async () => {
  await using on = await stage();
  const account = on.harness.fixture.account;
  const files: Readonly<Record<string, string>> = {
    jpg: 'image/jpeg',
    mp4: 'video/mp4',
    mp3: 'audio/mpeg',
    pdf: 'x/pdf',
  };
  Object.assign(account, {
    open: async ({ path }: { path: string }) => ({ data: Buffer.from('x'), mime: files[path]!, name: `f.${path}` }),
  });
  const sendOne = (path: string, text: string, audioAsVoice = false) =>
    on.harness.say(direct, { text, audioAsVoice, media: [{ from: 'file', path, mime: files[path]! }] });
  for (const name of Object.keys(files)) await sendOne(name, name === 'mp3' ? '' : 'words');
  await sendOne('mp3', 'with words');
  await sendOne('mp3', '', true);
  assert.deepEqual(
    on.platform.sent.map(({ message }) => Object.keys(message)[0]),
    ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage', 'documentMessage', 'audioMessage'],
  );
  assert.deepEqual([on.platform.sent.at(-1)!.message.audioMessage!.ptt], [true]);
});

test('a picture that is too heavy is reduced, what no app shows is converted, and the limit holds', async () => {
  await using on = await stage({ mediaMaxMb: 1 });
  const { account } = on.harness.fixture;
  const noise = { width: 700, height: 700, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const;
  const heavy = await sharp({ create: { ...noise, background: 'white' } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const tiff = await sharp({ create: { ...noise, width: 60, height: 60, background: 'white' } })
    .tiff()
    .toBuffer();
  const send = (data: Uint8Array, mime: string, name: string) => {
    Object.assign(account, { open: async () => ({ data, mime, name }) });
    return on.harness.say(direct, { text: 'look', media: [{ from: 'file', path: name, mime }] });
  };
  await send(heavy, 'image/png', 'big.png');
  await send(tiff, 'image/tiff', 'scan.tiff');
  const pictures = on.platform.sent.map(({ message }) => message.imageMessage!);
  assert.deepEqual(
    pictures.map(({ mimetype, caption }) => [mimetype, caption]),
    [
      ['image/jpeg', 'look'],
      ['image/jpeg', 'look'],
    ],
  );
  assert.ok(heavy.length > 1024 * 1024 && Number(pictures[0]!.fileLength) < 1024 * 1024);
  await assert.rejects(send(heavy, 'application/zip', 'big.zip'), { code: 'too_large' });
});

test('where WhatsApp takes no file the words go out, and say so', async () => {
  await using on = await stage();
  const file = { data: Buffer.from('x'), mime: 'application/pdf', name: 'plan.pdf' };
  Object.assign(on.harness.fixture.account, { open: async () => file });
  on.platform.refuseUploads(true);
  await on.harness.say(direct, { text: 'The plan', media: [{ from: 'file', path: 'p', mime: file.mime }] });
  const texts = on.platform.seen(direct).map(({ text }) => text);
  assert.deepEqual(texts, ['The plan\n\n⚠️ plan.pdf could not be uploaded to WhatsApp.']);
});

test('the pictures of an album are one message; who is late is not waited for', async () => {
  await using on = await stage();
  const child = (parent: string, name: string, caption?: string) => ({
    messageContextInfo: {
      messageAssociation: { associationType: 1, parentMessageKey: { id: parent, remoteJid: jidOf(ANN) } },
    },
    imageMessage: { ...mediaFields(Buffer.from(name)), mimetype: 'image/jpeg', ...(caption ? { caption } : {}) },
  });
  const from = { chat: direct, by: ANN };
  await on.platform.bring({ albumMessage: { expectedImageCount: 2, expectedVideoCount: 1 } }, { ...from, id: 'A1' });
  const first = await on.platform.bring(child('A1', 'one'), from);
  await on.platform.bring({ associatedChildMessage: { message: child('A1', 'two', 'the garden') } }, from);
  await on.platform.bring(child('A1', 'three'), from);
  await on.platform.bring({ conversation: 'after' }, from);
  await on.platform.bring(child('A1', 'late'), from);
  const again = {
    messageContextInfo: { messageAssociation: { associationType: 10, parentMessageKey: { id: first } } },
    imageMessage: mediaFields(Buffer.from('one, sharper')),
  };
  await on.platform.bring({ associatedChildMessage: { message: again } }, from);
  await on.platform.bring({ conversation: 'last' }, from);
  await on.harness.heard(({ text }) => text === 'last');
  assert.deepEqual(
    on.harness.fixture.received.map(({ text, said, attachments, album }) => [text, said, attachments.length, album]),
    [
      ['the garden', 'the garden', 3, true],
      ['after', 'after', 0, undefined],
      ['', '', 1, undefined],
      ['last', 'last', 0, undefined],
    ],
  );
  assert.equal(on.harness.fixture.received[0]!.id, first);
  await until(() => on.platform.acknowledged.length === 8, 'all are settled');
});

test('a file that is not what its message says, is gone, or is none of ours, is an error that says so', async () => {
  await using on = await stage();
  const fetch = async (media: object): Promise<Uint8Array> => {
    const { attachments } = await on.receives({ imageMessage: media });
    const signal = AbortSignal.timeout(60_000);
    return (await on.harness.connection.download!(attachments[0]!.ref!, { maxBytes: 100, signal })).data;
  };
  const good = mediaFields(Buffer.from('bytes'));
  assert.equal(Buffer.from(await fetch(good)).toString(), 'bytes');
  await assert.rejects(fetch({ ...good, fileSha256: Buffer.alloc(32, 1) }), { code: 'bad_response' });
  await assert.rejects(fetch({ ...good, directPath: '/gone' }), { code: 'not_found' });
  await assert.rejects(fetch({ ...good, directPath: '.evil.example/x' }), { code: 'not_found' });
  await assert.rejects(fetch({ ...good, fileLength: 101 }), { code: 'too_large' });
  const lying = { ...mediaFields(Buffer.alloc(200)), fileLength: 5 };
  await assert.rejects(fetch(lying), { code: 'too_large' });
  for (const ref of ['', '{', 'null', '{"t":"virus","k":"","p":"/"}'])
    await assert.rejects(
      on.harness.connection.download!(ref, { maxBytes: 5, signal: AbortSignal.timeout(60_000) }),
      (error: AppError) => error.code === 'not_found',
    );
});

test('what the phone still has of an outage is taken, and nothing older', async () => {
  await using on = await stage();
  const first = await on.receives({ conversation: 'before' });
  await on.harness.connection[Symbol.asyncDispose]();
  await using again = await on.harness.fixture.connect();
  await until(() => on.platform.consumers === 1, 'the connection');
  const seconds = Math.floor(Date.now() / 1000);
  const message = (id: string, text: string, at: number, fromMe = false) => ({
    key: { remoteJid: jidOf(ANN), id, fromMe },
    message: { conversation: text },
    messageTimestamp: at,
  });
  on.platform.history([
    message('H3', 'missed later', seconds + 20),
    message('H1', 'long ago', seconds - 90_000),
    message('H2', 'missed', seconds + 10),
    message('H4', 'from the phone itself', seconds + 15, true),
  ]);
  await on.harness.heard(({ text }) => text === 'missed later');
  assert.deepEqual(
    on.harness.fixture.received.map(({ text }) => text),
    [first.text, 'missed', 'missed later'],
  );
  assert.equal((await again.probe(AbortSignal.timeout(60_000))).ok, true);
});

test('a group of a thousand is read once, and a flood in it holds up no other chat', async () => {
  await using on = await stage();
  const participants = Array.from({ length: 1000 }, (_, at) => ({
    id: `1555${String(at).padStart(7, '0')}@s.whatsapp.net`,
  }));
  on.platform.groups.set(group.id, { id: group.id, subject: 'Thousand', size: 1000, participants });
  for (let nth = 0; nth < 300; nth++)
    void on.platform.bring({ conversation: `flood ${nth}` }, { chat: group, by: BOB, as: 'lid' });
  await on.platform.bring({ conversation: 'meanwhile' }, { chat: direct, by: ANN });
  await on.harness.heard(({ text }) => text === 'meanwhile');
  await on.harness.heard(({ text }) => text === 'flood 299');
  const flood = on.harness.fixture.received.filter(({ text }) => text.startsWith('flood'));
  assert.deepEqual(
    flood.map(({ text }) => text),
    Array.from({ length: 300 }, (_, nth) => `flood ${nth}`),
  );
  assert.equal(flood[0]!.place?.members, 1000);
  const info: any = await on.harness.connection.act!('group-info', {
    to: on.harness.address(group),
    parameters: {},
    signal: AbortSignal.timeout(60_000),
  });
  assert.deepEqual([info.members, info.participants.length], [1000, 200]);
});

test('places and contacts are sent; parameters that make no sense are named', async () => {
  await using on = await stage();
  const call = (action: string, parameters: object) =>
    on.harness.connection.act!(action, {
      to: on.harness.address(direct),
      parameters: { ...parameters },
      signal: AbortSignal.timeout(60_000),
    });
  await call('location', { latitude: '52.5', longitude: 13.4, name: 'Café' });
  await call('contact', { name: 'Eve; the\nsecond', phone: '+49 151 1234567' });
  const [place, contact] = on.platform.sent.map(({ message }) => message);
  assert.equal(place!.locationMessage!.degreesLatitude, 52.5);
  assert.match(
    contact!.contactsArrayMessage!.contacts![0]!.vcard!,
    /FN:Eve\\; the second\nTEL;type=CELL;waid=491511234567:/,
  );
  await assert.rejects(call('location', { latitude: 91, longitude: 0 }), /latitude must be/);
  await assert.rejects(call('contact', { name: 'Eve', phone: '12' }), /phone must be/);
  await assert.rejects(call('group-info', {}), /not a group/);
  await assert.rejects(call('fly', {}), { code: 'unsupported' });
});

test('people are mentioned in groups, and only messages of the account itself can be changed', async () => {
  await using on = await stage();
  await on.harness.say(group, { text: 'ask @+15550001002 or x@15550001001' });
  assert.deepEqual(on.platform.sent.at(-1)!.message.extendedTextMessage!.contextInfo!.mentionedJid, [jidOf(BOB)]);
  const theirs = await on.platform.write({ chat: group, by: BOB, text: 'mine' });
  await on.harness.heard(({ text }) => text === 'mine');
  const { connection } = on.harness;
  const to = on.harness.address(group);
  await assert.rejects(connection.edit!(to, theirs, outbound({ text: 'x' }, 'e')), { code: 'denied' });
  await assert.rejects(connection.remove!(to, 'UNKNOWN'), { code: 'not_found' });
  await assert.rejects(connection.react!(to, 'UNKNOWN', '👍'), { code: 'not_found' });
});
