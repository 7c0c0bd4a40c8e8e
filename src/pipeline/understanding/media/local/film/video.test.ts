import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMachine, missingPrograms, contextOf, type Machine } from '../fake.ts';
import { pictureSize } from '../../../../../platform/pictures/picture-size.ts';

const withFfmpeg = { skip: await missingPrograms('ffmpeg', 'ffprobe') };
const withAll = { skip: await missingPrograms('ffmpeg', 'ffprobe', 'tesseract', 'pocketsphinx_continuous', 'flite') };
const INK = "drawtext=text='Invoice 4711 total 99.50 EUR':fontsize=60:x=100:y=300";

async function film(
  machine: Machine,
  name: string,
  { picture = `color=white:s=1280x720:r=5:d=3,${INK}`, sound = 'sine=440:d=3', more = [] as readonly string[] } = {},
): Promise<void> {
  const inputs = [picture && ['-f', 'lavfi', '-i', picture], sound && ['-f', 'lavfi', '-i', sound]]
    .filter(Boolean)
    .flat();
  await machine.make('ffmpeg', ['-loglevel', 'error', ...inputs, ...more, name] as string[]);
}

const open = async (machine: Machine, name: string, mime = 'video/mp4') => {
  const parts = await machine.local.takeApart(machine.attachment(name, mime), contextOf());
  assert.ok(parts);
  return parts;
};

test('a film of a written line and a spoken question is taken apart and both are understood', withAll, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'ffprobe', 'tesseract', 'pocketsphinx_continuous');
  await machine.make('flite', ['-voice', 'rms', '-t', 'what time is it in new york', '-o', 'said.wav']);
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    `color=white:s=1280x720:r=5:d=3,${INK}`,
    '-i',
    'said.wav',
    '-c:v',
    'mpeg4',
    '-c:a',
    'aac',
    'film.mp4',
  ]);
  {
    await using parts = await open(machine, 'film.mp4');
    const understand = async (capability: 'image' | 'audio', file = parts.sound): Promise<string> => {
      const [entry] = await machine.local.auto(capability);
      return (await machine.local.runEntry(entry!, file!, capability, { timeoutMs: 60_000 }, contextOf())).text;
    };
    assert.equal(await understand('audio'), 'what time is it in new york');
    assert.equal(await understand('image', parts.frames[1]), 'Invoice 4711 total 99.50 EUR');
  }
  assert.deepEqual(await machine.leftovers(), []);
});

test(
  'frames are evenly spread, small JPEGs; the sound is Opus; all are attachments of their own',
  withFfmpeg,
  async () => {
    await using machine = await createMachine();
    await machine.link('ffmpeg', 'ffprobe');
    await film(machine, 'clip.mkv', {
      picture: 'testsrc=s=1280x720:r=5:d=8',
      sound: 'sine=440:d=8',
      more: ['-c:v', 'mpeg4'],
    });
    const parts = await open(machine, 'clip.mkv', 'video/x-matroska');
    assert.deepEqual(
      parts.frames.map(({ name, mime, kind, index, atSeconds }) => [name, mime, kind, index, Math.round(atSeconds)]),
      [1, 3, 5, 7].map((second, at) => [`clip-frame-${at + 1}.jpg`, 'image/jpeg', 'image', 0, second]),
    );
    for (const frame of parts.frames)
      assert.deepEqual(pictureSize(await frame.bytes(1e6)), { width: 1024, height: 576 });
    assert.deepEqual(
      [parts.sound?.name, parts.sound?.mime, parts.sound?.kind, Math.round(parts.seconds)],
      ['clip.ogg', 'audio/ogg', 'audio', 8],
    );
    assert.equal((await parts.sound!.bytes(1e6)).toString('latin1', 0, 4), 'OggS');
    await assert.rejects(parts.sound!.bytes(10), { code: 'too_large' });
    await parts[Symbol.asyncDispose]();
    await assert.rejects(parts.sound!.bytes(1e6), { code: 'not_found' });
    assert.deepEqual(await machine.leftovers(), []);
  },
);

test('films without sound, without pictures, of unknown length, shorter than a second', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'ffprobe');
  await film(machine, 'mute.mp4', { sound: '', more: ['-c:v', 'mpeg4'] });
  await film(machine, 'voice.mp4', { picture: '', more: ['-c:a', 'aac'] });
  await film(machine, 'live.webm', {
    picture: 'testsrc=s=160x120:r=5:d=3',
    more: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-live', '1', '-f', 'webm'],
  });
  await film(machine, 'blink.mp4', { picture: 'color=red:s=64x48:r=10:d=0.2', sound: '', more: ['-c:v', 'mpeg4'] });
  const seen = async (name: string): Promise<unknown> => {
    await using parts = await open(machine, name);
    return [parts.frames.length, parts.sound !== undefined, Math.round(parts.seconds)];
  };
  assert.deepEqual(await seen('mute.mp4'), [3, false, 3]);
  assert.deepEqual(await seen('voice.mp4'), [0, true, 3]);
  assert.deepEqual(await seen('live.webm'), [3, true, 3]);
  assert.deepEqual(await seen('blink.mp4'), [1, false, 0]);
  assert.deepEqual(await machine.leftovers(), []);
});

test('what is no film is refused and leaves nothing behind', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'ffprobe');
  await film(machine, 'whole.mp4', { more: ['-c:v', 'mpeg4'] });
  const whole = await readFile(join(machine.path, 'whole.mp4'));
  await machine.file('cut.mp4', whole.subarray(0, whole.length / 2), 'video/mp4');
  await machine.file('empty.mp4', '', 'video/mp4');
  await machine.file('text.mp4', 'a letter\n'.repeat(500), 'video/mp4');
  await machine.file(
    'list.mp4',
    '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nwhole.mp4\n#EXT-X-ENDLIST\n',
    'video/mp4',
  );
  await machine.file('concat.mp4', 'ffconcat version 1.0\nfile whole.mp4\n', 'video/mp4');
  for (const name of ['cut.mp4', 'empty.mp4', 'text.mp4', 'list.mp4', 'concat.mp4'])
    await assert.rejects(open(machine, name), { code: 'unsupported' }, name);
  assert.deepEqual(await machine.leftovers(), []);
});

test('a length that is a lie still gives the first picture', withFfmpeg, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'ffprobe');
  await film(machine, 'short.avi', { sound: '', more: ['-c:v', 'mjpeg'] });
  const bytes = await readFile(join(machine.path, 'short.avi'));
  // The main header's count of frames, at 48, and the stream's length, 32 behind its type.
  bytes.writeUInt32LE(500_000, 48);
  bytes.writeUInt32LE(500_000, bytes.indexOf('vids') + 32);
  await machine.file('liar.avi', bytes, 'video/x-msvideo');
  await using parts = await open(machine, 'liar.avi');
  assert.ok(parts.frames.length > 0);
});

test('a machine without ffmpeg takes nothing apart', async () => {
  await using machine = await createMachine();
  assert.equal(await machine.local.takeApart(machine.attachment('a.mp4', 'video/mp4'), contextOf()), undefined);
});

test('a converter that hangs is ended with the turn', async () => {
  await using machine = await createMachine();
  const stop = new AbortController();
  await machine.tool('ffprobe', '/bin/sleep 300');
  await machine.tool('ffmpeg', 'exit 0');
  const film = await machine.file('a.mp4', 'x', 'video/mp4');
  const parts = machine.local.takeApart(film, contextOf({ signal: stop.signal }));
  setImmediate(() => stop.abort());
  await assert.rejects(parts, { code: 'aborted' });
  assert.deepEqual(await machine.leftovers(), []);
});
