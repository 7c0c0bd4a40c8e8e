/** Pictures that a vendor does not accept: none is sent, none breaks a conversation, and existing ones are handled. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { pictureKind } from '../../src/platform/pictures/picture-kind.ts';
import { bitmap } from '../../src/testing/pictures.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';

const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined,
);
const skip = sharp ? false : 'sharp is not installed here';
const drawn = (width = 40, height = 30) => sharp!({ create: { width, height, channels: 3, background: '#336699' } });
const attach = (fileName: string, mimeType: string, content: Uint8Array) => ({
  fileName,
  mimeType,
  content: Buffer.from(content).toString('base64'),
});

/** As a telephone writes it, without anything to decode. */
const HEIC = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(300, 7)]);
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">Hello</text></svg>',
);

const taken = (image: string): boolean => {
  const bytes = Buffer.from(image, 'base64');
  return (
    ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].includes(pictureKind(bytes)) && !bytes.includes('refuse me')
  );
};

/** A vendor that takes four kinds, as the large ones do, and refuses a request with anything else in it. */
async function strictVendor(): Promise<RunningGateway> {
  const gateway = await startGateway();
  gateway.models.otherwise(({ images }) => (images.every(taken) ? { text: ['fine'] } : { error: 'picture' }));
  return gateway;
}

const PICTURES: Readonly<Record<string, () => Promise<readonly [name: string, mime: string, data: Uint8Array]>>> = {
  HEIC: async () => ['IMG_1.HEIC', 'image/heic', HEIC],
  'HEIC that says it is a JPEG': async () => ['IMG_1.jpg', 'image/jpeg', HEIC],
  AVIF: async () => ['a.avif', 'image/avif', await drawn().avif().toBuffer()],
  BMP: async () => ['a.bmp', 'image/bmp', bitmap(40, 30)],
  TIFF: async () => ['a.tiff', 'image/tiff', await drawn().tiff().toBuffer()],
  SVG: async () => ['a.svg', 'image/svg+xml', SVG],
  'a PNG of a billion pixels': async () => ['huge.png', 'image/png', await hugePng()],
  'a PNG that ends early': async () => [
    'cut.png',
    'image/png',
    (await drawn(2500, 2500).png().toBuffer()).subarray(0, 300),
  ],
};

/** A real picture whose header claims more. */
async function hugePng(): Promise<Buffer> {
  const png = await drawn().png().toBuffer();
  png.writeUInt32BE(40_000, 16);
  png.writeUInt32BE(30_000, 20);
  return png;
}

/** Its place in what the model reads; a drawing is read as the text it is. */
const named = /\[Image attachment "[^"]+" could not be (read|analyzed): |<file name="a\.svg"/;

for (const [what, make] of Object.entries(PICTURES)) {
  it(`${what}: the turn is answered, and so is the next one`, { skip }, async () => {
    await using gateway = await strictVendor();
    await using chat = await gateway.connect();
    const { runId, ended } = await chat.send('what is this?', { attachments: [attach(...(await make()))] });
    assert.match((await ended).text, /fine$/);
    const [request] = gateway.models.requests;
    assert.ok(request!.images.every(taken));
    assert.ok(request!.images.length === 1 || named.test(request!.texts.at(-1)!), request!.texts.at(-1));
    assert.match(await chat.say('and now?'), /fine$/);
    if (request!.images.length > 0 || what === 'SVG') return;
    const [image] = (await chat.call('chat.timeline', { runId })).entries.filter(({ stage }: any) => stage === 'image');
    assert.match(
      JSON.stringify(image),
      /unsupported|could not|billion|pixels|image\/heic|svg/,
      'the record says that it was refused',
    );
    assert.doesNotMatch(JSON.stringify(image), /"reason":"sent to the chat model"/);
  });
}

/** The transcript of the main session, changed on disk as an older build may have left it. */
async function rewrite(gateway: RunningGateway, change: (text: string) => string): Promise<void> {
  const { readdir } = await import('node:fs/promises');
  const folder = join(gateway.stateDir, 'agents', 'main', 'sessions');
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.jsonl'));
  await writeFile(join(folder, name!), change(await readFile(join(folder, name!), 'utf8')));
}

it('a session that holds a picture of such a kind heals', { skip }, async () => {
  await using gateway = await strictVendor();
  await using first = await gateway.connect();
  const png = (await drawn().png().toBuffer()).toString('base64');
  await first.say('look', { attachments: [attach('a.png', 'image/png', Buffer.from(png, 'base64'))] });
  await gateway.restart({
    while: () =>
      rewrite(gateway, (text) => text.replace(png, HEIC.toString('base64')).replace('image/png', 'image/heic')),
  });
  await using chat = await gateway.connect();
  assert.equal(await chat.say('still there?'), 'fine');
  const request = gateway.models.requests.at(-1)!;
  assert.deepEqual(request.images, []);
  assert.ok(
    request.texts.some((text) => /a picture was left out: it is image\/heic/.test(text)),
    request.texts.join('\n'),
  );
});

const refusedPng = async (): Promise<Buffer> =>
  Buffer.concat([await drawn().png().toBuffer(), Buffer.from('refuse me')]);

it('a picture we believed fine and the vendor refuses is left out, said so, and not sent again', { skip }, async () => {
  await using gateway = await strictVendor();
  await using chat = await gateway.connect();
  await chat.say('first', { attachments: [attach('good.png', 'image/png', await drawn().png().toBuffer())] });
  assert.equal(await chat.say('second', { attachments: [attach('bad.png', 'image/png', await refusedPng())] }), 'fine');
  const after = gateway.models.requests.at(-1)!;
  assert.equal(after.images.length, 1, 'the one that was taken before stays');
  assert.ok(
    after.texts.some((text) => /a picture was left out: .*refused it/.test(text)),
    after.texts.join('\n'),
  );
  await gateway.restart();
  await using later = await gateway.connect();
  const before = gateway.models.requests.length;
  assert.equal(await later.say('third'), 'fine');
  assert.equal(gateway.models.requests.length, before + 1, 'the refused picture was not tried once more');
  assert.equal(gateway.models.requests.at(-1)!.images.length, 1);
});

it('a refusal that is not about pictures stays what it is', { skip }, async () => {
  await using gateway = await startGateway();
  await using chat = await gateway.connect();
  gateway.models.otherwise(() => ({ error: 'auth' }));
  await failedTurn(chat, await drawn().png().toBuffer());
  assert.equal(gateway.models.requests.length, 1);
});

async function failedTurn(chat: Chat, png: Buffer): Promise<void> {
  const { ended } = await chat.send('look', { attachments: [attach('a.png', 'image/png', png)] });
  assert.match((await ended).text, /API key/);
}
