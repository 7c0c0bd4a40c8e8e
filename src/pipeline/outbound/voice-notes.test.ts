/** Recordings as voice notes: converted where a channel wants another format, else sent as the files they are. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { MediaRef, ReplyPayload } from '../../core/reply.ts';
import { systemClock } from '../../platform/clock.ts';
import { exec, findProgram } from '../../platform/exec.ts';
import { createMediaStore } from '../../sessions/media-store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createVoiceNotes } from './voice-notes.ts';

const SESSION = 'agent:main:main';
const hasFfmpeg = (await findProgram('ffmpeg', process.env['PATH'])) !== undefined;
const skip = hasFfmpeg ? false : 'no ffmpeg here';

/** A second of a tone. */
function wav(): Buffer {
  const samples = Buffer.alloc(16_000 * 2);
  for (let n = 0; n < 16_000; n++) samples.writeInt16LE(Math.round(8000 * Math.sin(n / 6)), n * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

async function open(
  files: Readonly<Record<string, { data: Buffer; mime: string }>>,
  { path = process.env['PATH'] ?? '' } = {},
) {
  const dir = await tempDir('voice-notes');
  const media = createMediaStore(dir.path);
  const refs: Record<string, MediaRef> = {};
  for (const [name, { data, mime }] of Object.entries(files)) {
    await writeFile(join(dir.path, name), data);
    refs[name] = { from: 'file', path: join(dir.path, name), mime };
  }
  const voiced = createVoiceNotes({
    machine: { log: silentLog, clock: systemClock, vars: () => ({ PATH: path }), tempDir: dir.path, exec, findProgram },
    media,
    open: async (ref) => {
      if (ref.from === 'url') throw new AppError('network', 'No network here.');
      return { data: await readFile(ref.path), mime: ref.mime, name: ref.path.split('/').at(-1)! };
    },
  });
  return { dir, refs, voiced };
}

const note = (file: MediaRef, rest: Partial<ReplyPayload> = {}): ReplyPayload => ({
  kind: 'final',
  media: [file],
  audioAsVoice: true,
  ...rest,
});
const TELEGRAM = { voice: true, voiceNotes: { types: ['audio/ogg', 'audio/mpeg'] } };
const DISCORD = { voice: true, voiceNotes: { types: ['audio/ogg'], caption: false } } as const;
const SOUNDS = {
  'a.wav': { data: wav(), mime: 'audio/wav' },
  'b.ogg': { data: Buffer.from('OggS'), mime: 'audio/ogg' },
};

describe('voice notes', () => {
  it('are converted to Opus where the channel wants it', { skip }, async () => {
    const { dir, refs, voiced } = await open(SOUNDS);
    await using _ = dir;
    const [sent] = await voiced([note(refs['a.wav']!, { text: 'Listen.' })], {
      capabilities: TELEGRAM,
      sessionKey: SESSION,
    });
    const [file] = sent!.media!;
    assert.ok(file?.from === 'file' && file.mime === 'audio/ogg' && file.name === 'a.ogg');
    const data = await readFile(file.path);
    assert.equal(data.toString('latin1', 0, 4), 'OggS');
    assert.ok(data.includes('OpusHead'));
    assert.deepEqual([sent!.audioAsVoice, sent!.text], [true, 'Listen.']);
    // The same sound again is the same file.
    const [again] = await voiced([note(refs['a.wav']!)], { capabilities: TELEGRAM, sessionKey: SESSION });
    assert.deepEqual(again!.media, [file]);
  });

  it('that fit already stay as they are', async () => {
    const { dir, refs, voiced } = await open(SOUNDS);
    await using _ = dir;
    const payload = note(refs['b.ogg']!);
    assert.deepEqual(await voiced([payload], { capabilities: TELEGRAM, sessionKey: SESSION }), [payload]);
  });

  it('have their words in a message before them, where they take none', async () => {
    const { dir, refs, voiced } = await open(SOUNDS);
    await using _ = dir;
    const file = refs['b.ogg']!;
    assert.deepEqual(
      await voiced([note(file, { text: 'Listen.', replyTo: { id: '7' } }), { kind: 'final', text: 'more' }], {
        capabilities: DISCORD,
        sessionKey: SESSION,
      }),
      [
        { kind: 'final', text: 'Listen.', replyTo: { id: '7' } },
        { kind: 'final', media: [file], audioAsVoice: true },
        { kind: 'final', text: 'more' },
      ],
    );
  });

  it('go out as files without ffmpeg, when they are damaged, no sound, not to be had, or the channel has none', async () => {
    const broken = { data: Buffer.from('RIFF0000WAVEbroken'), mime: 'audio/wav' };
    const picture = { data: Buffer.from('x'), mime: 'image/png' };
    const list = { data: Buffer.from('#EXTM3U\nfile:///etc/passwd\n'), mime: 'audio/mpeg' };
    const { dir, refs, voiced } = await open({ ...SOUNDS, 'broken.wav': broken, 'p.png': picture, 'list.aac': list });
    await using _ = dir;
    const { dir: other, voiced: without } = await open({}, { path: '/nonexistent' });
    await using __ = other;
    const url: MediaRef = { from: 'url', url: 'https://example.com/a.wav' };
    const asFile = (file: MediaRef): ReplyPayload => ({ kind: 'final', media: [file] });
    for (const [run, file, capabilities] of [
      [without, refs['a.wav']!, TELEGRAM],
      [voiced, refs['broken.wav']!, TELEGRAM],
      [voiced, refs['list.aac']!, DISCORD],
      [voiced, refs['p.png']!, TELEGRAM],
      [voiced, url, TELEGRAM],
      [voiced, refs['b.ogg']!, { voice: false }],
      [voiced, refs['b.ogg']!, undefined],
    ] as const)
      assert.deepEqual(await run([note(file)], { capabilities, sessionKey: SESSION }), [asFile(file)]);
  });
});
