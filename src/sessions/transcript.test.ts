/** Transcripts: appending once, reading any content, and the part that the model sees (`spec/gateway.md` 2.5). */
import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import { textOf, type Message } from '../core/transcript.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { turnLineId } from './transcript-line.ts';
import { readHeader } from './load-transcript.ts';
import { openTranscript, type Transcript } from './transcript.ts';
import { createTranscripts } from './transcripts.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });
const line = (id: string, text = id, over: object = {}) => ({
  type: 'message' as const,
  id,
  message: user(text),
  ...over,
});
const spoken = (transcript: Transcript): string[] =>
  transcript.conversation().map(({ message }) => textOf(message.content));

/** A transcript in a folder of its own, with `content` if given; without, not even the folder it lies in exists. */
async function harness(content?: string | Buffer) {
  const dir = await tempDir('transcript');
  const path = content === undefined ? join(dir.path, 'deep', 's1.jsonl') : join(dir.path, 's1.jsonl');
  if (content !== undefined) await writeFile(path, content);
  return {
    dir,
    path,
    open: () => openTranscript({ path, sessionId: 's1', sessionKey: 'agent:main:main', cwd: '/work' }, silentLog),
  };
}

const rows = async (path: string): Promise<any[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));

describe('appending', () => {
  it('cuts a torn line off once: what was added since stays, though the file is opened again', async () => {
    const { dir, path, open } = await harness('{"type":"message","id":"to');
    await using _ = dir;
    const transcript = await open();
    await transcript.append([line('a')]);
    await transcript.close();
    await transcript.append([line('b')]);
    assert.deepEqual(
      (await rows(path)).map(({ id }) => id),
      ['s1', 'a', 'b'],
    );
  });

  it('writes the header once, then a chain of lines', async () => {
    const { dir, path, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    await transcript.append([line('a'), line('b')]);
    await transcript.append([line('c', 'c', { turnId: 't1' })]);
    await transcript.close();
    const [header, a, b, c] = await rows(path);
    assert.deepEqual(
      [header.type, header.version, header.id, header.sessionKey, header.cwd],
      ['session', 3, 's1', 'agent:main:main', '/work'],
    );
    assert.deepEqual([a.parentId, b.parentId, c.parentId, c.turnId], [undefined, 'a', 'b', 't1']);
    assert.equal((await readHeader(path))?.id, 's1');
  });

  it('skips ids that are there, in memory and after reading the file again', async () => {
    const { dir, path, open } = await harness();
    await using _ = dir;
    const first = await open();
    await first.append([line('a'), line('a', 'again')]);
    await first.append([line('a', 'and again')]);
    await first.close();
    const second = await open();
    assert.equal(second.has('a'), true);
    await second.append([line('a'), line('b')]);
    await second.close();
    assert.deepEqual(
      (await rows(path)).map(({ id }) => id),
      ['s1', 'a', 'b'],
    );
  });

  it('keeps the order of callers who do not wait', async () => {
    const { dir, path, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => transcript.append([line(id)])));
    await transcript.sync();
    assert.equal(await transcript.unchanged(), true);
    await transcript.close();
    assert.deepEqual(
      (await rows(path)).map(({ id }) => id),
      ['s1', 'a', 'b', 'c', 'd'],
    );
  });

  it('gives the n-th message of a turn the same id after a restart', () => {
    assert.equal(turnLineId('t', 'model0'), turnLineId('t', 'model0'));
    assert.notEqual(turnLineId('t', 'model0'), turnLineId('t', 'model1'));
    assert.match(turnLineId('t', 0), /^[0-9a-f]{8}$/);
  });
});

describe('reading', () => {
  const good = (id: string): string => `${JSON.stringify({ ...line(id), timestamp: '2026-01-01T00:00:00Z' })}\n`;

  it('cuts a torn last line off and goes on behind it', async () => {
    const { dir, path, open } = await harness(`${good('a')}{"type":"message","id":"to`);
    await using _ = dir;
    const transcript = await open();
    assert.deepEqual(spoken(transcript), ['a']);
    await transcript.append([line('b')]);
    await transcript.close();
    assert.deepEqual(
      (await rows(path)).map(({ id }) => id),
      ['a', 'b'],
    );
  });

  it('counts in bytes when the text is damaged, so that the cut is in the right place', async () => {
    const { dir, path, open } = await harness(
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`${good('ä')}torn`)]),
    );
    await using _ = dir;
    const transcript = await open();
    await transcript.append([line('b')]);
    assert.equal(await transcript.unchanged(), true);
    await transcript.close();
    assert.ok((await readFile(path)).includes(Buffer.from(`${good('ä')}{"type":"message","id":"b"`)));
  });

  it('skips what is no line of a transcript', async () => {
    const { dir, open } = await harness(
      'not ' +
        `json\n\n[1]\nnull\n{"type":"custom"}\n{"type":"message","id":"x"}\n{"type":"message","id":"y","message":null}\n${good('a')}`,
    );
    await using _ = dir;
    assert.deepEqual(spoken(await open()), ['a']);
  });

  it("understands other programs' content", async () => {
    const foreign = (id: string, content: unknown): string =>
      `${JSON.stringify({ type: 'message', id, message: { role: 'user', content, timestamp: 1 } })}\n`;
    const { dir, open } = await harness(
      foreign('a', 'plain') +
        foreign('b', [{ type: 'input_text', text: 'in' }]) +
        foreign('c', [{ type: 'output_text', text: 'out' }]) +
        foreign('d', null),
    );
    await using _ = dir;
    assert.deepEqual(spoken(await open()), ['plain', 'in', 'out', '']);
  });

  it('shows the model no commands and notices', async () => {
    const { dir, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    await transcript.append([line('a'), line('b', '/status', { audience: 'person' }), line('c')]);
    await transcript.close();
    assert.deepEqual(spoken(await open()), ['a', 'c']);
  });

  it('shows the model the last summary and what was kept after it', async () => {
    const { dir, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    const summary = (id: string, text: string, firstKeptId?: string) =>
      present({
        type: 'compaction' as const,
        id,
        summary: text,
        tokensBefore: 9,
        firstKeptId: firstKeptId || undefined,
      });
    await transcript.append([
      line('a'),
      line('b'),
      summary('s1', 'old'),
      line('c'),
      line('d'),
      summary('s2', 'ab', 'd'),
      line('e'),
    ]);
    assert.deepEqual(spoken(transcript), ['[Summary of the conversation so far]\nab', 'd', 'e']);
    await transcript.append([summary('s3', 'all', 'gone'), line('f')]);
    await transcript.close();
    assert.deepEqual(spoken(await open()), ['[Summary of the conversation so far]\nall', 'f']);
  });

  it('forgets a turn that came to nothing, for good, and keeps its lines', async () => {
    const { dir, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    await transcript.append([
      line('a'),
      { ...line('b'), turnId: 't1' },
      { ...line('c'), turnId: 't1' },
      { ...line('d'), turnId: 't2' },
    ]);
    await transcript.append([{ type: 'forget', id: 'f1', turnId: 't1' }]);
    assert.deepEqual(spoken(transcript), ['a', 'd']);
    await transcript.close();
    const again = await open();
    assert.deepEqual(spoken(again), ['a', 'd']);
    assert.equal(again.lines.length, 5);
  });

  it('holds in memory what the model is shown, and reads the rest where somebody wants all', async () => {
    const { dir, open } = await harness();
    await using _ = dir;
    const live = await open();
    const said = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => line(`m${from + n}`));
    await live.append(said(0, 2000));
    assert.ok(live.isWhole);
    const { bytes } = live;
    const summary = { type: 'compaction' as const, id: 's1', summary: 'much', firstKeptId: 'm1990', tokensBefore: 9 };
    await live.append([summary, line('last')]);
    await live.append([line('m1500'), line('m1999')]); // what a turn writes again after a death
    await live.close();
    for (const transcript of [live, await open()]) {
      const held = transcript.lines.map(({ id }) => id);
      assert.deepEqual(held, [...said(1990, 2000).map(({ id }) => id), 's1', 'last']);
      assert.deepEqual([transcript.isWhole, transcript.bytes < bytes / 50], [false, true]);
      assert.equal(spoken(transcript).length, 12);
      const all = await transcript.readAll((lines) => lines.map(({ id }) => id));
      assert.deepEqual(all, [...said(0, 2000).map(({ id }) => id), 's1', 'last']);
    }
  });

  it('joins what is appended while all is read', async () => {
    const { dir, open } = await harness();
    await using _ = dir;
    const transcript = await open();
    await transcript.append(Array.from({ length: 50 }, (_, n) => line(`m${n}`)));
    await transcript.append([{ type: 'compaction', id: 's1', summary: 'x', firstKeptId: 'm48', tokensBefore: 9 }]);
    const all = transcript.readAll((lines) => lines.map(({ id }) => id));
    const writing = transcript.append([line('late')]);
    assert.deepEqual((await all).slice(-4), ['m48', 'm49', 's1', 'late']);
    await writing;
    await transcript.close();
  });

  it('lets other work happen while it reads a long file', async () => {
    const { dir, open } = await harness(Array.from({ length: 5000 }, (_, n) => good(String(n))).join(''));
    await using _ = dir;
    let breaths = 0;
    const breathe = (): void => {
      breaths++;
      timer = setImmediate(breathe);
    };
    let timer = setImmediate(breathe);
    assert.equal((await open()).lines.length, 5000);
    clearImmediate(timer);
    assert.ok(breaths >= 10, `${breaths} breaths`);
  });
});

describe('transcripts in use', () => {
  it('are read once, and again when somebody else wrote', async () => {
    const { dir, path } = await harness();
    await using _ = dir;
    const transcripts = createTranscripts({ log: silentLog });
    const ref = { path, sessionId: 's1', sessionKey: 'agent:main:main', cwd: '' };
    const first = await transcripts.open(ref);
    await first.append([line('a')]);
    assert.equal(await transcripts.open(ref), first);
    await appendFile(path, `${JSON.stringify({ ...line('b'), timestamp: '' })}\n`);
    const second = await transcripts.open(ref);
    assert.notEqual(second, first);
    assert.deepEqual(spoken(second), ['a', 'b']);
    await transcripts.close();
  });

  it('are few; one that left memory is read again', async () => {
    const { dir } = await harness();
    await using _ = dir;
    const transcripts = createTranscripts({ log: silentLog, keep: 1 });
    const ref = (id: string) => ({ path: join(dir.path, `${id}.jsonl`), sessionId: id, sessionKey: id, cwd: '' });
    const first = await transcripts.open(ref('s1'));
    await first.append([line('a')]);
    await transcripts.open(ref('s2'));
    const again = await transcripts.open(ref('s1'));
    assert.notEqual(again, first);
    assert.deepEqual(spoken(again), ['a']);
    await transcripts.close();
  });

  it('rest when nobody came back for long, but for those that wait for their sync', async () => {
    const { dir } = await harness();
    await using _ = dir;
    const time = { now: 1000 };
    const transcripts = createTranscripts({ log: silentLog, now: () => time.now });
    const ref = (id: string) => ({ path: join(dir.path, `${id}.jsonl`), sessionId: id, sessionKey: id, cwd: '' });
    const early = await transcripts.open(ref('early'));
    await early.append([line('a')]);
    await (await transcripts.open(ref('unsynced'))).append([line('b')]);
    transcripts.touched(ref('unsynced').path);
    time.now = 2000;
    await transcripts.open(ref('late'));
    assert.equal(transcripts.rest(1500), 2);
    assert.notEqual(await transcripts.open(ref('early')), early);
    await transcripts.sync();
    assert.equal(transcripts.rest(3000), 0);
    await transcripts.close();
  });

  it('tell which ones could not be synced', async () => {
    const { dir, path } = await harness();
    await using _ = dir;
    const transcripts = createTranscripts({ log: silentLog });
    const transcript = await transcripts.open({ path, sessionId: 's', sessionKey: 's', cwd: '' });
    await writeFile(dirname(path), 'a file where the folder should be');
    await assert.rejects(transcript.append([line('a')]), /deep/);
    transcripts.touched(path);
    assert.deepEqual(await transcripts.sync(), new Set([path]));
    await transcripts.close();
  });
});

it('holds a bounded number of bytes in memory, and whoever still has one that went may append to it', async () => {
  await using dir = await tempDir('transcripts');
  const ref = (name: string) => ({ path: join(dir.path, `${name}.jsonl`), sessionId: name, sessionKey: name, cwd: '' });
  const said = (id: string) => ({
    type: 'message' as const,
    id,
    message: { role: 'user' as const, content: [{ type: 'text' as const, text: 'x'.repeat(1000) }], timestamp: 0 },
  });
  const transcripts = createTranscripts({ log: silentLog, keepBytes: 1500 });
  for (const name of ['a', 'b']) await (await transcripts.open(ref(name))).append([said(`${name}1`)]);
  const a = await transcripts.open(ref('a'));
  const b = await transcripts.open(ref('b'));
  assert.notEqual(await transcripts.open(ref('a')), a, 'a was let go when b came');
  await a.append([said('a2')]);
  await b.append([said('b2')]);
  assert.equal((await transcripts.open(ref('a'))).lines.length, 2);
  await transcripts.close();
});
