import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMachine, missingPrograms, contextOf, toneWav, type Machine } from '../fake.ts';

const withFfmpeg = { skip: await missingPrograms('ffmpeg') };
const withSpeech = { skip: await missingPrograms('ffmpeg', 'flite', 'pocketsphinx_continuous') };

/** The path and length of what a recogniser was given, by a tool that keeps it. */
async function listen(
  machine: Machine,
  name: string,
  bytes: Uint8Array | string,
  mime = 'audio/mpeg',
): Promise<number> {
  await machine.tool('whisper-cli', `/bin/cp "$1" '${machine.path}/heard.wav'`);
  const file = await machine.file(name, bytes, mime);
  await machine.local.runEntry(
    { command: 'whisper-cli', args: ['{{MediaPath}}'], passEnv: [] },
    file,
    'audio',
    { timeoutMs: 120_000 },
    contextOf(),
  );
  return (await readFile(join(machine.path, 'heard.wav'))).length;
}

async function voiceNote(machine: Machine): Promise<Buffer> {
  await machine.make('flite', ['-voice', 'rms', '-t', 'what time is it in new york', '-o', 'said.wav']);
  await machine.make('ffmpeg', ['-loglevel', 'error', '-i', 'said.wav', '-c:a', 'libopus', '-b:a', '24k', 'voice.ogg']);
  return readFile(join(machine.path, 'voice.ogg'));
}

test(
  'a spoken question in an Opus voice note is transcribed word for word by the tool that is found',
  withSpeech,
  async () => {
    await using machine = await createMachine();
    await voiceNote(machine);
    await machine.link('ffmpeg', 'pocketsphinx_continuous');
    const [entry, ...rest] = await machine.local.auto('audio');
    assert.deepEqual(rest, []);
    const answer = await machine.local.runEntry(
      entry!,
      machine.attachment('voice.ogg', 'audio/ogg'),
      'audio',
      { timeoutMs: 60_000 },
      contextOf(),
    );
    assert.deepEqual(answer, {
      text: 'what time is it in new york',
      provider: 'cli',
      model: 'pocketsphinx_continuous',
    });
    assert.deepEqual(await machine.leftovers(), []);
  },
);

test('recordings of any format become 16 kHz mono WAV; without ffmpeg only WAV is taken', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=1:r=44100',
    '-ac',
    '2',
    'tone.mp3',
  ]);
  const tone = await readFile(join(machine.path, 'tone.mp3'));
  await assert.rejects(listen(machine, 'a.mp3', tone), {
    code: 'unsupported',
    message: 'a.mp3 is audio/mpeg; ffmpeg, which would turn it into WAV, is not installed.',
  });
  assert.equal(await listen(machine, 'a.wav', 'RIFF', 'audio/wav'), 4);
  machine.vars['PATH'] += ':/nowhere';
  await machine.link('ffmpeg');
  const bytes = await listen(machine, 'b.mp3', tone);
  assert.ok(Math.abs(bytes - 32_000) < 4_000, `${bytes}`);
  const head = await readFile(join(machine.path, 'heard.wav'));
  assert.deepEqual([head.readUInt16LE(22), head.readUInt32LE(24)], [1, 16_000]);
});

test('recordings that are none: empty, silent, text, cut off, endless', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg');
  const make = async (name: string, ...args: readonly string[]): Promise<Buffer> => {
    await machine.make('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', ...args, name]);
    return readFile(join(machine.path, name));
  };
  await assert.rejects(listen(machine, 'zero.ogg', ''), {
    code: 'unsupported',
    message: 'The sound of zero.ogg could not be read: it is empty.',
  });
  await assert.rejects(listen(machine, 'text.wav', 'This is a letter, not a sound.\n'.repeat(100)), {
    code: 'unsupported',
    message: 'The sound of text.wav could not be read: it is damaged or has the wrong file extension.',
  });
  const opus = await make('tone.ogg', 'sine=440:d=2', '-c:a', 'libopus');
  await assert.rejects(listen(machine, 'headers.ogg', opus.subarray(0, 60)), { code: 'unsupported' });
  assert.ok(
    (await listen(machine, 'cut.ogg', opus.subarray(0, opus.length / 2))) > 16_000,
    'what is there of it is heard',
  );
  await assert.rejects(listen(machine, 'silent.wav', await make('silence.wav', 'anullsrc', '-t', '2')), {
    code: 'unsupported',
    message: 'silent.wav has no sound in it: it is empty or silent.',
  });
  await assert.rejects(listen(machine, 'headless.wav', (await make('tone.wav', 'sine=440:d=1')).subarray(0, 44)), {
    code: 'unsupported',
  });
  await assert.rejects(listen(machine, 'long.wav', toneWav({ seconds: 1805 })), {
    code: 'too_large',
    message: 'long.wav is longer than 30 minutes.',
  });
  assert.deepEqual(await machine.leftovers(), []);
});

test('a picture in place of a recording, and a file without end, are refused in time', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg');
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'color=red:s=20x20',
    '-frames:v',
    '1',
    'red.gif',
  ]);
  await assert.rejects(listen(machine, 'red.mp3', await readFile(join(machine.path, 'red.gif'))), {
    code: 'unsupported',
    message: 'The sound of red.mp3 could not be read: it contains none.',
  });
  await machine.file('holes.mp3', '', 'audio/mpeg');
  await truncate(join(machine.path, 'holes.mp3'), 40 * 1024 * 1024);
  const file = machine.attachment('holes.mp3', 'audio/mpeg');
  await assert.rejects(
    machine.local.runEntry(
      { command: 'whisper-cli', args: ['{{MediaPath}}'], passEnv: [] },
      file,
      'audio',
      { timeoutMs: 120_000 },
      contextOf(),
    ),
    { code: 'unsupported' },
  );
});

/** Counts who comes by; `await using` closes it. */
async function watchedServer(): Promise<{ origin: string; visits: readonly string[] } & AsyncDisposable> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, visits, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

test('a play list named .mp3 reaches neither the network nor another file', withFfmpeg, async () => {
  await using machine = await createMachine();
  await using server = await watchedServer();
  const { origin, visits } = server;
  await machine.link('ffmpeg');
  await machine.make('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=440:d=1', 'of-another.wav']);
  const hls = (target: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${target}\n#EXT-X-ENDLIST\n`;
  const concat = (target: string): string => `ffconcat version 1.0\nfile '${target}'\n`;
  const dash = (target: string): string =>
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
    'mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" ' +
    `bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
  const targets = [`${origin}/x.ts`, 'file:///etc/passwd', 'of-another.wav', 'subfile,,start,0,end,0,,:/etc/passwd'];
  const lists = [
    ...targets.map(hls),
    ...targets.map(concat),
    dash(`${origin}/x.mp4`),
    `[playlist]\nFile1=${origin}/x.mp3\nNumberOfEntries=1\n`,
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n',
  ];
  for (const list of lists) await assert.rejects(listen(machine, 'list.mp3', list), { code: 'unsupported' }, list);
  assert.deepEqual(visits, []);
  assert.deepEqual(await machine.leftovers(), []);
});
