/** The provider example of docs/how-to/write-a-plugin.md transcribes a recording in a gateway. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import JSON5 from 'json5';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from '../crash/fixture.ts';

const page = readFileSync(new URL('../../docs/how-to/write-a-plugin.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## A provider'));
const written = (language: string): string => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)![1]!;

it('a plugin that hears is used as its page says', async () => {
  await using dir = await tempDir('ears');
  await mkdir(join(dir.path, 'ears'));
  await writeFile(join(dir.path, 'ears', 'index.mjs'), written('js'));
  const asked: { url: string | undefined; type: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url, type: request.headers['content-type'] });
    request.resume().on('end', () => response.end('buy milk'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const config = JSON5.parse<{ models: { providers: { ears: { baseUrl: string } } } }>(written('json5'));
    config.models.providers.ears.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using gateway = await startGateway({
      offline: true,
      config: { ...config, plugins: { load: { paths: [join(dir.path, 'ears')] } } },
    });
    await using chat = await gateway.connect();
    const voice = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(4096, 1)]);
    assert.match(
      await chat.say('', {
        attachments: [{ fileName: 'note.ogg', mimeType: 'audio/ogg', content: voice.toString('base64') }],
      }),
      /buy milk/,
    );
    assert.deepEqual(asked, [{ url: '/hear?model=small', type: 'audio/ogg' }]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

it('a file only its channel can fetch is kept by the gateway and read', async () => {
  const fixture = await createFixture();
  try {
    await using gateway = await startGateway({
      config: {
        plugins: { load: { paths: [join(import.meta.dirname, '../crash/plugin')] } },
        channels: { pipe: { url: fixture.url, allowFrom: ['ann'] } },
      },
    });
    fixture.unacknowledged.set('f1', {
      id: 'f1',
      chat: 'ann',
      text: 'sum up',
      file: { name: 'table.csv', mime: 'text/csv', content: Buffer.from('name,n\nann,1\nbob,2\n').toString('base64') },
    });
    await until(() => fixture.sends.length === 1);
    assert.match(
      gateway.models.requests.at(-1)!.texts.at(-1)!,
      /^\[Pipe id:ann [^\]]+\] sum up\n\n<file name="table\.csv" mime="text\/csv">\nname,n\nann,1/,
    );
  } finally {
    await fixture.close();
  }
});
