/** Failing commands, servers and files: the reply continues, the note is missing, and the decision says why. */
import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Attachment } from '../../src/core/message.ts';
import { buildPdf } from '../../src/testing/documents/build-pdf.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from '../crash/fixture.ts';

const MB = 1024 * 1024;
/** A public address that needs no DNS; no command here connects to it. */
const SITE = 'http://8.8.8.8';

const asked = ({ models }: RunningGateway): string => models.requests.at(-1)!.texts.at(-1)!;

/** What each command does, and the reason its attempt is recorded with. */
const COMMANDS: readonly (readonly [name: string, script: string, reason: RegExp])[] = [
  ['hangs', 'sleep 600 & sleep 600', /^timeout: not finished after 1 s$/],
  ['says-nothing', 'exit 0', /^empty output$/],
  ['prints-100-mb', 'head -c 100000000 /dev/zero | tr "\\000" a', /^maxBytes: it printed more than 5 MiB$/],
  ['prints-binary', 'printf "\\177ELF\\000\\001\\002\\377"', /^binary output$/],
  ['leaves-a-child', 'sleep 600 & exit 0', /^empty output$/],
  ['is-killed', 'kill -KILL $$', /^ended by SIGKILL$/],
  ['fails', 'echo "no route" >&2; exit 7', /^exit code 7: no route$/],
];

test('every command for a link misbehaves: the message is answered without a note, and each attempt says why', async () => {
  await using dir = await tempDir('trouble');
  const models = await Promise.all(
    COMMANDS.map(async ([name, script]) => {
      await writeFile(join(dir.path, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(dir.path, name), 0o700);
      return { command: join(dir.path, name), timeoutSeconds: name === 'hangs' ? 1 : 20 };
    }),
  );
  await using gateway = await startGateway({ config: { tools: { links: { models } } } });
  await using chat = await gateway.connect();
  await chat.say(`${SITE}/page`, { runId: 'run-1' });
  assert.equal(asked(gateway), `${SITE}/page`);
  const { entries } = await chat.call('chat.timeline', { runId: 'run-1' });
  const [link] = entries.filter(({ stage }: any) => stage === 'link');
  assert.equal(link.ok, false);
  assert.equal(link.steps.length, COMMANDS.length);
  for (const [index, [name, , reason]] of COMMANDS.entries()) assert.match(link.steps[index].reason, reason, name);
});

test('an address of 100 kB is not read, of ten thousand the first three are', async () => {
  await using gateway = await startGateway({
    config: { tools: { links: { models: [{ command: '/bin/echo', args: ['read', '{{LinkUrl}}'] }] } } },
  });
  await using chat = await gateway.connect();
  const long = `${SITE}/${'x'.repeat(100_000)}`;
  await chat.say(long);
  assert.equal(asked(gateway), long);
  const many = Array.from({ length: 10_000 }, (_, index) => `${SITE}/${index}`).join(' ');
  await chat.say(many);
  assert.deepEqual(
    [
      ...asked(gateway)
        .slice(many.length)
        .matchAll(/^\[Link (\d)\/3\]\nURL: (.*)$/gm),
    ].map(([, nth, url]) => [nth, url]),
    [
      ['1', `${SITE}/0`],
      ['2', `${SITE}/1`],
      ['3', `${SITE}/2`],
    ],
  );
});

interface Served {
  readonly name: string;
  /** As the platform says; a text document unless it says otherwise. */
  readonly kind?: Attachment['kind'];
  readonly mime?: string;
  /** What stands in the model's request. */
  readonly reads: RegExp;
  readonly serve: RequestListener;
}

const sends =
  (body: Uint8Array | string, mime = 'application/octet-stream'): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': mime }).end(body);
const pngHead = (width: number, height: number): Buffer => {
  const head = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080600000000000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.alloc(200)]);
};

const endless = { sent: 0 };
const SERVED: readonly Served[] = [
  {
    name: 'endless.txt',
    reads: /endless\.txt".*larger than 20 MiB/,
    serve: (_request, response) => {
      const chunk = Buffer.alloc(MB, 'a');
      const more = (): void => {
        endless.sent += chunk.length;
        response.write(chunk);
      };
      response.on('drain', more);
      more();
    },
  },
  {
    name: 'round.txt',
    reads: /round\.txt".*could not be downloaded/,
    serve: (_request, response) => void response.writeHead(302, { location: '/round.txt' }).end(),
  },
  {
    name: 'huge.txt',
    reads: /huge\.txt".*larger than 20 MiB/,
    serve: (_request, response) => response.writeHead(200, { 'content-length': 20_000 * MB }).flushHeaders(),
  },
  {
    name: 'cut.txt',
    reads: /cut\.txt".*could not be downloaded/,
    serve: (_request, response) =>
      response.writeHead(200, { 'content-length': 1000 }).write('only this', () => response.destroy()),
  },
  {
    name: 'longer.txt',
    reads: /<file name="longer\.txt" mime="text\/plain">\n0123456789\n<\/file>/,
    serve: ({ socket }) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\n${'0123456789'.repeat(100_000)}`,
      ),
  },
  {
    name: 'photo.png',
    kind: 'image',
    mime: 'image/png',
    reads: /<file name="photo\.[a-z.]*" mime="text\/html">\nno photo\n<\/file>/,
    serve: sends('<!doctype html><html><body><p>no photo</p></body></html>', 'image/png'),
  },
  {
    name: 'silent.ogg',
    kind: 'audio',
    mime: 'audio/ogg',
    reads: /audio attachment was too small/,
    serve: sends('', 'audio/ogg'),
  },
  {
    name: 'large.png',
    kind: 'image',
    mime: 'image/png',
    reads: /large\.png" could not be read: it has 40000 × 40000 pixels/,
    serve: sends(pngHead(40_000, 40_000), 'image/png'),
  },
  {
    name: 'letters.txt',
    mime: 'text/plain',
    reads: /\[Audio attachment "letters[^"]*" could not be analyzed/,
    serve: sends(
      Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.from('words that are none '.repeat(500), 'utf16le')]),
      'text/plain; charset=utf-16',
    ),
  },
  {
    name: 'objects.pdf',
    mime: 'application/pdf',
    reads: /<file name="objects\.pdf" mime="application\/pdf">\nstill here\n<\/file>/,
    serve: sends(buildPdf({ pages: [['still here']], spareObjects: 300_000 }), 'application/pdf'),
  },
];

test('servers and files that lie, never end or burst: each message is answered, and the model is told what became of the file', async (t) => {
  const fixture = await createFixture();
  const server = createServer((request, response) =>
    SERVED.find(({ name }) => request.url === `/${name}`)!.serve(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await using gateway = await startGateway({
      config: {
        plugins: { load: { paths: [join(import.meta.dirname, '../crash/plugin')] } },
        channels: { pipe: { url: fixture.url, allowFrom: ['ann'] } },
        security: { fetch: { allowRanges: ['127.0.0.0/8'] } },
        tools: { media: { audio: { models: [{ type: 'cli', command: '/bin/false', args: ['{{MediaPath}}'] }] } } },
      },
    });
    const before = process.memoryUsage.rss();
    for (const [index, { name, kind = 'document', mime = 'text/plain', reads }] of SERVED.entries()) {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
      fixture.unacknowledged.set(name, {
        id: name,
        chat: name,
        sender: 'ann',
        text: `look at ${name}`,
        attachments: [{ kind, mime, name, url }],
      });
      await until(() => gateway.models.requests.length > index && fixture.sends.some(({ chat }) => chat === name));
      assert.match(asked(gateway), reads, name);
      t.diagnostic(`${name}: memory ${Math.round((process.memoryUsage.rss() - before) / MB)} MB above the beginning`);
    }
    assert.ok(
      endless.sent > 20 * MB && endless.sent < 40 * MB,
      `${endless.sent} bytes were taken from a server that never ends`,
    );
  } finally {
    server.closeAllConnections();
    server.close();
    await fixture.close();
  }
});
