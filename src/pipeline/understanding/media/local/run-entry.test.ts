import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { join } from 'node:path';
import type { MediaEntry } from '../../../../config/understanding-config.ts';
import { AppError } from '../../../../core/errors.ts';
import type { AttachmentFile } from '../../attachments.ts';
import { createMachine, missingPrograms, contextOf, toneWav, type Machine } from './fake.ts';

const LIMITS = { timeoutMs: 20_000 };
const entry = (
  command: string,
  args: readonly string[] = ['{{MediaPath}}'],
  more: Partial<MediaEntry> = {},
): MediaEntry => ({ command, args: [...args], passEnv: [], ...more });
const run = async (machine: Machine, what: MediaEntry, file?: AttachmentFile, limits = LIMITS) =>
  machine.local.runEntry(
    what,
    file ?? (await machine.file('note.bin', 'x', 'audio/ogg')),
    'audio',
    limits,
    contextOf(),
  );

const rejects = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test('T65 T66 a configured command: text trimmed, the command named, the scratch folder gone', async () => {
  await using machine = await createMachine();
  await machine.tool('describe', 'printf "\\n a cat \\n"; printf x > "$2/left" || exit 9');
  const answer = await run(machine, entry('describe', ['{{MediaPath}}', '{{OutputDir}}']));
  assert.deepEqual(answer, { text: 'a cat', provider: 'cli', model: 'describe' });
  assert.deepEqual(await machine.leftovers(), []);
});

test(
  'every template variable of an attachment is filled, one argument stays one argument, values are not looked ' +
    'at again',
  async () => {
    await using machine = await createMachine();
    await machine.tool('t', 'echo ok');
    const file = await machine.file('a b;$(x).ogg', 'x', 'audio/ogg');
    const args = [
      '{{MediaPath}}|{{MediaDir}}|{{AttachmentPath}}|{{AttachmentDir}}',
      '{{MediaUrl}}|{{AttachmentUrl}}',
      '{{MediaType}}|{{AttachmentContentType}}|{{AttachmentIndex}}',
      '{{Prompt}}|{{MaxChars}}|{{Language}}',
      '{{ Body }}',
      '{{OutputDir}}',
      '{{OutputBase}}',
    ];
    const limits = { timeoutMs: 5_000, prompt: 'What?', maxChars: 9, language: 'de' };
    await machine.local.runEntry(entry('t', args), file, 'audio', limits, contextOf({ url: 'https://x.test/a' }));
    const [call] = await machine.calls('t');
    const path = join(machine.path, 'a b;$(x).ogg');
    assert.deepEqual(call?.slice(0, 5), [
      `${path}|${machine.path}|${path}|${machine.path}`,
      'https://x.test/a|https://x.test/a',
      'audio/ogg|audio/ogg|0',
      'What?|9|de',
      'look {{MediaPath}}',
    ]);
    assert.equal(call?.[6], join(call?.[5] ?? '', 'a b;$(x)'));
  },
);

test('a play list that calls itself a recording never reaches a tool that would follow it', {
  skip: await missingPrograms('ffmpeg'),
}, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg');
  await machine.tool('whisper', 'echo "what others said"');
  await machine.file('of-another.wav', toneWav({ seconds: 1 }), 'audio/wav');
  const list = Buffer.from(
    `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${join(machine.path, 'of-another.wav')}\n#EXT-X-ENDLIST\n\0\xff`,
    'latin1',
  );
  await rejects(
    run(machine, entry('whisper'), await machine.file('evil.mp3', list, 'audio/mpeg')),
    'unsupported',
    /^The sound of evil\.mp3 could not be read/,
  );
  assert.deepEqual(await machine.calls('whisper'), []);
  assert.equal(
    (await run(machine, entry('whisper'), await machine.file('honest.wav', toneWav({ seconds: 1 }), 'audio/wav'))).text,
    'what others said',
  );
});

test('a secret reaches only the command that is given it', async () => {
  await using machine = await createMachine();
  machine.vars['MY_API_KEY'] = 'k1';
  machine.vars['CLAWDBOT_GATEWAY_TOKEN'] = 't1';
  await machine.tool('env-of', 'echo "${MY_API_KEY:-none} ${CLAWDBOT_GATEWAY_TOKEN:-none}"');
  assert.equal((await run(machine, entry('env-of'))).text, 'none none');
  assert.equal((await run(machine, entry('env-of', ['{{MediaPath}}'], { passEnv: ['MY_API_KEY'] }))).text, 'k1 none');
});

test('T64 T102 failures say which command and how, and leave nothing behind', async () => {
  await using machine = await createMachine();
  await machine.tool('fails', 'echo first >&2; echo "no model: token=sk-abcdefgh12345678" >&2; exit 3');
  await machine.tool('dies', 'kill -9 $$');
  await machine.tool('floods', 'while :; do printf "%01000d" 0; done');
  await rejects(
    run(machine, entry('fails')),
    'bad_response',
    /^fails failed with exit code 3: no model: token=sk-abc…5678$/,
  );
  await rejects(run(machine, entry('dies')), 'bad_response', /^dies was killed by SIGKILL\.$/);
  await rejects(run(machine, entry('floods')), 'too_large', /^floods was stopped: it printed more than 5 MiB/);
  await rejects(run(machine, entry('nowhere')), 'unavailable', /^nowhere was not found; install it/);
  assert.deepEqual(await machine.leftovers(), []);
});

test('a command that hangs with a child is ended in time, and so is its child', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async () => {
  await using machine = await createMachine();
  await machine.tool('hangs', '/bin/sleep 300 & echo $! > "$1/../../../child"; wait');
  await rejects(
    run(machine, entry('hangs', ['{{OutputDir}}']), undefined, { timeoutMs: 400 }),
    'timeout',
    /^hangs was stopped: all steps together exceeded 0\.4 s/,
  );
  const child = (await readFile(join(machine.path, 'child'), 'utf8')).trim();
  while (await isRunning(child)) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await machine.leftovers(), []);
});

/** A process nobody has waited for yet has ended all the same. */
async function isRunning(pid: string): Promise<boolean> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return facts !== undefined && !facts.includes(') Z ');
}

test('a command that leaves a child behind answers at once', async () => {
  await using machine = await createMachine();
  await machine.tool('forks', '/bin/sleep 300 & echo done');
  assert.equal((await run(machine, entry('forks'))).text, 'done');
});

test('a stopped turn stops the command', async () => {
  await using machine = await createMachine();
  await machine.tool('hangs', '/bin/sleep 300');
  const file = await machine.file('a.ogg', 'x', 'audio/ogg');
  await rejects(
    machine.local.runEntry(entry('hangs'), file, 'audio', LIMITS, contextOf({ signal: AbortSignal.abort() })),
    'aborted',
    /^hangs was stopped with the turn/,
  );
  assert.deepEqual(await machine.leftovers(), []);
});

test('a file that cannot be had is told as it is', async () => {
  await using machine = await createMachine();
  const why = new AppError('denied', 'blocked: 10.0.0.1');
  const file = { ...machine.attachment('a.ogg', 'audio/ogg'), path: () => Promise.reject(why) };
  await assert.rejects(run(machine, entry('t'), file), why);
  assert.deepEqual(await machine.leftovers(), []);
});

test('pocketsphinx is not asked to hear English in German, unless it has a German model', async () => {
  await using machine = await createMachine();
  await machine.tool('pocketsphinx', 'echo guten tag');
  const voice = await machine.file('a.wav', 'RIFF', 'audio/wav');
  const transcribe = (language: string, args: readonly string[]): Promise<{ text: string }> =>
    machine.local.runEntry(entry('pocketsphinx', args), voice, 'audio', { timeoutMs: 5_000, language }, contextOf());
  await rejects(
    transcribe('de', ['{{MediaPath}}']),
    'unsupported',
    /^pocketsphinx supports English only; the configured language is "de"\.$/,
  );
  assert.equal((await transcribe('en-GB', ['{{MediaPath}}'])).text, 'guten tag');
  assert.equal((await transcribe('de', ['-hmm', '/models/de', '{{MediaPath}}'])).text, 'guten tag');
});
