/** Images, audio and video end to end, with real programs: sent, understood, answered. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findProgram } from '../../src/platform/find-program.ts';
import { startFakeMedia } from '../../src/testing/fake-media/fake-media-server.ts';
import { buildPdf } from '../../src/testing/documents/build-pdf.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from '../crash/fixture.ts';

const run = promisify(execFile);

async function missingPrograms(...programs: string[]): Promise<string | false> {
  const missing: string[] = [];
  for (const program of programs) if (!(await findProgram(program, process.env['PATH']))) missing.push(program);
  return missing.length > 0 && `${missing.join(', ')} not installed`;
}
const noSpeech = await missingPrograms('flite', 'ffmpeg', 'pocketsphinx_continuous');
const noText = await missingPrograms('ffmpeg', 'tesseract');
const noScans = await missingPrograms('pdftoppm', 'ffmpeg', 'tesseract');

/** An Opus voice note of somebody saying it. */
async function voiceNote(words: string): Promise<Buffer> {
  await using dir = await tempDir('voice');
  const [wav, ogg] = [join(dir.path, 'a.wav'), join(dir.path, 'a.ogg')];
  await run('flite', ['-voice', 'rms', '-t', words, '-o', wav]);
  await run('ffmpeg', ['-loglevel', 'error', '-i', wav, '-c:a', 'libopus', '-b:a', '32k', ogg]);
  return readFile(ogg);
}

async function picture(words: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="120"><rect width="900" height="120" fill="white"/><text x="20" y="75" font-family="DejaVu Sans" font-size="44">${words}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();
}

/** A page as a scanner makes it. */
async function scanned(words: string): Promise<{ data: Buffer; width: number; height: number }> {
  const { default: sharp } = await import('sharp');
  return {
    data: await sharp(await picture(words))
      .extend({ bottom: 480, background: 'white' })
      .removeAlpha()
      .jpeg({ quality: 90 })
      .toBuffer(),
    width: 900,
    height: 600,
  };
}

const attach = (fileName: string, mimeType: string, content: Buffer) => ({
  fileName,
  mimeType,
  content: content.toString('base64'),
});
const SAID = 'what time is it in new york';
/** A chat model that is shown no pictures. */
const blind = (url: string) => ({
  providers: {
    fake: {
      baseUrl: `${url}/v1`,
      apiKey: 'k',
      api: 'openai-completions',
      models: [{ id: 'model', contextWindow: 200_000, input: ['text'] }],
    },
  },
});

describe('on this machine', () => {
  it('a voice note is transcribed exactly, and the offline concierge answers what was said', {
    skip: noSpeech,
  }, async () => {
    await using gateway = await startGateway({ offline: true, config: {} });
    await using chat = await gateway.connect();
    const answer = await chat.say('', { attachments: [attach('voice.ogg', 'audio/ogg', await voiceNote(SAID))] });
    assert.match(answer, new RegExp(`your message: "${SAID}"`));
    assert.match(answer, new RegExp(`\`Audio\` says:\\s+\`\`\`\\n${SAID}`));
  });

  it('a line of an invoice is read exactly for a model that sees no pictures', { skip: noText }, async () => {
    await using gateway = await startGateway();
    await gateway.writeConfig({ models: blind(gateway.models.url) });
    await gateway.restart();
    await using chat = await gateway.connect();
    await chat.say('how much?', {
      attachments: [attach('invoice.png', 'image/png', await picture('Invoice 4711 total 99.50 EUR'))],
    });
    const request = gateway.models.requests.at(-1)!;
    assert.equal(
      request.texts.at(-1),
      '[Image]\nUser text:\nhow much?\nRecognised by: tesseract\nDescription:\nInvoice 4711 total 99.50 EUR',
    );
    assert.deepEqual(request.images, [], 'it is not shown the picture as well');
  });

  it('an agent that asks about a picture hears what is read off it', { skip: noText }, async () => {
    await using gateway = await startGateway();
    await gateway.writeConfig({ models: blind(gateway.models.url) });
    await gateway.restart();
    await using chat = await gateway.connect();
    const url = `data:image/png;base64,${(await picture('Invoice 4711 total 99.50 EUR')).toString('base64')}`;
    gateway.models.reply(
      { calls: [{ id: 'c1', name: 'image', args: { image: url, prompt: 'What does it say?' } }] },
      { text: ['Read.'] },
    );
    await chat.say('look');
    assert.match(JSON.stringify(gateway.models.requests.at(-1)!.body), /Invoice 4711 total 99\.50 EUR/);
  });

  it('a scan is read page by page for a model that sees no pictures', { skip: noScans }, async () => {
    await using gateway = await startGateway();
    await gateway.writeConfig({ models: blind(gateway.models.url) });
    await gateway.restart();
    await using chat = await gateway.connect();
    const pictures = [await scanned('Lease agreement 2026'), await scanned('Signed in Vienna')];
    const { runId, ended } = await chat.send('what is it?', {
      attachments: [attach('scan.pdf', 'application/pdf', buildPdf({ pages: [[], []], pictures }))],
    });
    await ended;
    const request = gateway.models.requests.at(-1)!;
    assert.equal(
      request.texts.at(-1),
      'what is it?\n\n<file name="scan.pdf" mime="application/pdf">\n[recognised by tesseract from pictures of its pages]\n\nPage 1:\nLease agreement 2026\n\nPage 2:\nSigned in Vienna\n</file>',
    );
    assert.deepEqual(request.images, []);
    const [file] = (await chat.call('chat.timeline', { runId })).entries.filter(({ stage }: any) => stage === 'file');
    assert.deepEqual(
      file.steps
        .filter(({ what }: any) => what !== 'fake')
        .map(({ what, chosen, reason }: any) => [what, chosen, reason]),
      [
        ['documents/pdf', undefined, 'empty output: its pages are pictures'],
        ['tesseract', true, 'read 2 of 2 pages'],
      ],
    );
  });

  it('a picture goes to a model that sees as it is, made small enough for vendors', async () => {
    const { default: sharp } = await import('sharp');
    const large = await sharp({ create: { width: 4000, height: 1000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('what colour?', { attachments: [attach('large.png', 'image/png', large)] });
    const request = gateway.models.requests.at(-1)!;
    assert.equal(request.texts.at(-1), 'what colour?');
    const { width } = await sharp(Buffer.from(request.images[0]!, 'base64')).metadata();
    assert.equal(width, 2000);
  });
});

describe('with a vendor', () => {
  it('a recording is sent to the configured one, and a failure is told with its reason', async () => {
    await using vendor = await startFakeMedia();
    await using gateway = await startGateway();
    const { models } = (await gateway.instance.config.current()) as any;
    await gateway.writeConfig({
      models: {
        providers: { ...models.providers, groq: { baseUrl: `${vendor.url}/openai/v1`, apiKey: 'gsk-test-0123456789' } },
      },
      tools: { media: { audio: { models: [{ provider: 'groq' }] } } },
    });
    await gateway.restart();
    await using chat = await gateway.connect();
    const recording = attach(
      'note.ogg',
      'audio/ogg',
      Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(4000, 7)]),
    );
    vendor.reply({ text: 'buy bread' });
    await chat.say('', { attachments: [recording] });
    assert.equal(gateway.models.requests.at(-1)!.texts.at(-1), '[Audio]\nTranscript:\nbuy bread');
    vendor.reply({ status: 500 });
    const { runId, ended } = await chat.send('and this?', { attachments: [recording] });
    await ended;
    assert.match(
      gateway.models.requests.at(-1)!.texts.at(-1)!,
      /^and this\?\n\n\[Audio attachment "note\.ogg" could not be analyzed: /,
    );
    const [audio] = (await chat.call('chat.timeline', { runId })).entries.filter(({ stage }: any) => stage === 'audio');
    assert.deepEqual(
      [audio.ok, audio.steps[0].what, audio.steps[0].outcome],
      [false, 'groq/whisper-large-v3-turbo', 'failed'],
    );
    assert.ok(!JSON.stringify(audio).includes('gsk-test'), 'the key shows nowhere');
  });
});

describe('in a group (T124, T125)', () => {
  it('a voice note that names the agent is let in and heard once; one that does not is left alone', {
    skip: noSpeech,
  }, async () => {
    const fixture = await createFixture();
    try {
      fixture.files.set('named.ogg', { body: await voiceNote(SAID), fetched: 0 });
      await using gateway = await startGateway({
        config: {
          agents: {
            list: [
              { id: 'main', default: true, groupChat: { mentionPatterns: ['new york'] } },
              { id: 'other', groupChat: { mentionPatterns: ['zanzibar'] } },
            ],
          },
          bindings: [{ agentId: 'other', match: { channel: 'pipe', peer: { kind: 'group', id: 'elsewhere' } } }],
          plugins: { load: { paths: [join(import.meta.dirname, '../crash/plugin')] } },
          channels: { pipe: { url: fixture.url, allowFrom: ['ann'] } },
          security: { fetch: { allowRanges: ['127.0.0.0/8'] } },
          tools: { media: { audio: { echoTranscript: true } } },
        },
      });
      const note = {
        kind: 'audio',
        recorded: true,
        mime: 'audio/ogg',
        name: 'voice.ogg',
        url: `${fixture.url}/files/named.ogg`,
      } as const;
      const group = { kind: 'group', text: '', addressesBot: false, attachments: [note] } as const;
      fixture.unacknowledged.set('g0', { ...group, id: 'g0', chat: 'club', sender: 'stranger' });
      fixture.unacknowledged.set('g1', { ...group, id: 'g1', chat: 'elsewhere', sender: 'ann' });
      fixture.unacknowledged.set('g2', { ...group, id: 'g2', chat: 'club', sender: 'ann' });
      await until(() => fixture.sends.length === 2);
      await until(() => fixture.unacknowledged.size === 0);
      assert.deepEqual(
        fixture.sends.map(({ chat }) => chat),
        ['club', 'club'],
      );
      assert.equal(fixture.sends[0]!.text, `📝 "${SAID}"`, 'the echo comes before the answer');
      assert.equal(gateway.models.requests.length, 1);
      assert.match(
        gateway.models.requests[0]!.texts.at(-1)!,
        new RegExp(
          `^\\[Pipe id:club [^\\]]+\\] ann: \\[Audio\\]\\nRecognised by: pocketsphinx\\w*\\nTranscript:\\n${SAID}$`,
        ),
      );
      assert.equal(
        fixture.files.get('named.ogg')!.fetched,
        2,
        'once for each group, never for the stranger, not again for the turn',
      );
    } finally {
      await fixture.close();
    }
  });
});

describe('to the person', () => {
  it('a file that could not be read is named once, on a channel too', async () => {
    const fixture = await createFixture();
    try {
      fixture.files.set('blob.bin', {
        body: Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256)),
        fetched: 0,
      });
      await using gateway = await startGateway({
        config: {
          plugins: { load: { paths: [join(import.meta.dirname, '../crash/plugin')] } },
          channels: { pipe: { url: fixture.url, allowFrom: ['ann'] } },
          security: { fetch: { allowRanges: ['127.0.0.0/8'] } },
        },
      });
      gateway.models.reply({ text: ['a look, then'] });
      fixture.unacknowledged.set('d1', {
        id: 'd1',
        kind: 'direct',
        chat: 'ann',
        sender: 'ann',
        text: 'look',
        addressesBot: true,
        attachments: [
          {
            kind: 'document',
            mime: 'application/octet-stream',
            name: 'blob.bin',
            url: `${fixture.url}/files/blob.bin`,
          },
        ],
      });
      await until(() => fixture.sends.length === 2);
      assert.deepEqual(
        fixture.sends.map(({ text }) => text),
        [
          'I could not read "blob.bin". Files of the type application/octet-stream contain no readable text.',
          'a look, then',
        ],
      );
    } finally {
      await fixture.close();
    }
  });

  it('a stop while a recording is listened to ends the message at once', async () => {
    await using gateway = await startGateway({
      config: {
        tools: {
          media: { audio: { models: [{ type: 'cli', command: 'sh', args: ['-c', 'sleep 300', '{{MediaPath}}'] }] } },
        },
      },
    });
    await using chat = await gateway.connect();
    const { runId, ended } = await chat.send('', {
      attachments: [attach('note.ogg', 'audio/ogg', Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(4000, 7)]))],
    });
    await chat.event((frame) => frame.event === 'agent' && frame.payload.stream === 'understanding');
    assert.deepEqual(await chat.call('chat.abort', { sessionKey: 'main', runId }).then(({ aborted }) => aborted), true);
    assert.equal((await ended).state, 'aborted');
    assert.equal(gateway.models.requests.length, 0);
  });
});
