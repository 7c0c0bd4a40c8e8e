/** The session store: nothing acknowledged is lost, even if other programs write the file or the process is killed. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { silentLog } from '../core/log.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createMemoryRedo, type MemoryRedo } from '../testing/memory-redo.ts';
import { tempDir } from '../testing/temp-dir.ts';
import type { SessionEntry } from './entry.ts';
import { createSessionStore, type SessionStore } from './store.ts';

/** A folder and a redo log that outlive the stores opened on them; a store never closed has crashed. */
async function harness() {
  const dir = await tempDir('store');
  const redo = createMemoryRedo();
  const clock = createFakeClock();
  const path = join(dir.path, 'main', 'sessions.json');
  await mkdir(join(dir.path, 'main'));
  return {
    redo,
    clock,
    path,
    folder: join(dir.path, 'main'),
    open: (log = silentLog): SessionStore =>
      createSessionStore({ path: (agentId) => join(dir.path, agentId, 'sessions.json'), redo, log, clock }),
    file: async (): Promise<any> => JSON.parse(await readFile(path, 'utf8')),
    written: () => existsSync(path),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
async function all(store: SessionStore): Promise<Record<string, SessionEntry>> {
  const found: Record<string, SessionEntry> = {};
  for await (const [key, entry] of store.entries('main')) found[key] = entry;
  return found;
}

describe('changes', () => {
  it('are in memory at once, in the redo log when told so, and in the file soon', async () => {
    await using s = await harness();
    const store = s.open();
    const entry = await store.patch('main', 'k', { sessionId: 's1', label: 'mine' });
    assert.deepEqual([store.peek('main', 'k'), await store.get('main', 'k')], [entry, entry]);
    assert.equal(s.redo.rows.size, 1);
    await assert.rejects(readFile(s.path), { code: 'ENOENT' });
    await s.clock.advance(1000);
    await store.flush();
    assert.deepEqual(await s.file(), { k: entry });
    assert.equal(s.redo.rows.size, 0, 'the file has it');
    assert.equal((await stat(s.path)).mode & 0o777, 0o600);
  });

  it('after the close are refused, so that a gateway that ended never writes over the next one', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'k', { sessionId: 's1' });
    await store.close();
    await assert.rejects(store.patch('main', 'k', { label: 'late' }), { code: 'unavailable' });
    assert.equal(s.clock.pending(), 0);
  });

  it('made while a large file is put together are in the next one', async () => {
    await using s = await harness();
    const store = s.open();
    await Promise.all(Array.from({ length: 2000 }, (_, n) => store.patch('main', `k${n}`, { sessionId: `s${n}` })));
    let writing = true;
    const written = store.flush().finally(() => {
      writing = false;
    });
    let count = 0;
    for (; writing; count++) {
      await store.patch('main', 'k1999', { inputTokens: count });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await written;
    await store.flush();
    const file = await s.file();
    assert.deepEqual(
      [Object.keys(file).length, file.k0.sessionId, file.k1999.inputTokens, s.redo.rows.size],
      [2000, 's0', count - 1, 0],
    );
    await store.close();
  });

  it('of one second are one write', async () => {
    await using s = await harness();
    const store = s.open();
    for (let n = 0; n < 50; n++) await store.patch('main', 'k', { sessionId: 's1', inputTokens: n });
    assert.equal(s.clock.pending(), 1);
    await store.flush();
    const { ino } = await stat(s.path);
    await store.flush();
    assert.equal((await stat(s.path)).ino, ino, 'nothing changed, nothing written');
    await store.close();
  });

  it('merge: null clears, undefined leaves alone, time never goes back', async () => {
    await using s = await harness();
    const store = s.open();
    const first = await store.patch('main', 'k', {
      sessionId: 's1',
      label: 'a',
      model: 'm',
      updatedAt: s.clock.now() + 5000,
    });
    const second = await store.patch('main', 'k', { label: null, model: undefined, inputTokens: 1 });
    assert.deepEqual(second, { sessionId: 's1', model: 'm', inputTokens: 1, updatedAt: first.updatedAt });
  });

  it('need a session', async () => {
    await using s = await harness();
    await assert.rejects(s.open().patch('main', 'k', { label: 'x' }), /sessionId/);
  });

  it('of two callers at once are both kept', async () => {
    await using s = await harness();
    const store = s.open();
    await Promise.all([store.patch('main', 'a', { sessionId: 's1' }), store.patch('main', 'b', { sessionId: 's2' })]);
    await Promise.all([
      store.patch('main', 'a', { label: 'x' }),
      store.patch('main', 'a', { model: 'm' }),
      store.flush(),
    ]);
    await store.close();
    const { a, b } = await s.file();
    assert.deepEqual([a.label, a.model, b.sessionId], ['x', 'm', 's2']);
  });

  it('that delete stay, in the file and after a crash', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'k', { sessionId: 's1' });
    await store.flush();
    assert.equal((await store.delete('main', 'k'))?.sessionId, 's1');
    assert.equal(await store.delete('main', 'k'), undefined);
    assert.equal(await s.open().get('main', 'k'), undefined, 'after a crash');
    await store.close();
    assert.deepEqual(await s.file(), {});
  });

  it('during a write go into the next one', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'k', { sessionId: 's1', inputTokens: 1 });
    const writing = store.flush();
    await store.patch('main', 'k', { inputTokens: 2 });
    await writing;
    await store.close();
    assert.equal((await s.file()).k.inputTokens, 2);
    assert.equal(s.redo.rows.size, 0);
  });

  it('of agents go to their own files', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'k', { sessionId: 's1' });
    await store.patch('work', 'k', { sessionId: 's2' });
    await store.close();
    const next = s.open();
    assert.deepEqual(
      [(await next.get('main', 'k'))?.sessionId, (await next.get('work', 'k'))?.sessionId, await next.count('main')],
      ['s1', 's2', 1],
    );
  });
});

describe('a crash', () => {
  it('loses nothing that was told', async () => {
    await using s = await harness();
    const before = s.open();
    await before.patch('main', 'a', { sessionId: 's1' });
    await before.flush();
    await before.patch('main', 'a', { label: 'new' });
    await before.patch('main', 'b', { sessionId: 's2' });
    const after = s.open();
    assert.deepEqual(await all(after), await all(before));
    await after.close();
    assert.deepEqual(Object.keys(await s.file()), ['a', 'b']);
    assert.equal(s.redo.rows.size, 0);
  });

  it('between two files leaves no doubt: the temporary one is ignored', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'a', { sessionId: 's1' });
    await store.close();
    await writeFile(join(s.folder, '.sessions.json.1.x.tmp'), '{"half');
    assert.deepEqual(Object.keys(await all(s.open())), ['a']);
  });

  it('at any point: what was answered before is what is answered after', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('patch' as const), key: fc.constantFrom('a', 'b', 'c'), tokens: fc.nat(9) }),
      fc.record({ do: fc.constant('delete' as const), key: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ do: fc.constantFrom('flush' as const, 'crash' as const, 'restart' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using s = await harness();
        let store = s.open();
        for (const one of steps) {
          if (one.do === 'patch')
            await store.patch('main', one.key, { sessionId: `s-${one.key}`, inputTokens: one.tokens });
          else if (one.do === 'delete') await store.delete('main', one.key);
          else if (one.do === 'flush') await store.flush();
          else {
            const reported = await all(store);
            if (one.do === 'restart') await store.close();
            store = s.open();
            assert.deepEqual(await all(store), reported);
          }
        }
        const reported = await all(store);
        await store.close();
        assert.deepEqual(s.written() ? await s.file() : {}, reported);
      }),
      { numRuns: 40 },
    );
  });
});

describe('trouble', () => {
  it('writing the file keeps the changes for the next try', async () => {
    await using s = await harness();
    const store = s.open();
    await store.patch('main', 'k', { sessionId: 's1' });
    await rm(s.folder, { recursive: true });
    await writeFile(s.folder, 'a file in the way');
    await assert.rejects(store.flush());
    assert.equal(s.redo.rows.size, 1);
    await rm(s.folder);
    await store.close();
    assert.equal((await s.file()).k.sessionId, 's1');
  });

  it('with the redo log is told to the caller', async () => {
    await using s = await harness();
    s.redo.refuse = new Error('disk full');
    await assert.rejects(s.open().patch('main', 'k', { sessionId: 's1' }), /disk full/);
  });
});

describe('somebody else', () => {
  async function edited(s: Awaited<ReturnType<typeof harness>>, text: string | undefined): Promise<SessionStore> {
    const store = s.open();
    await store.patch('main', 'ours', { sessionId: 's1' });
    await store.patch('main', 'theirs', { sessionId: 's2' });
    await store.flush();
    if (text === undefined) await rm(s.path);
    else await writeFile(s.path, text);
    await store.patch('main', 'ours', { label: 'changed' });
    await store.flush();
    return store;
  }

  it('who edits the file is heard, but for what we changed since', async () => {
    await using s = await harness();
    const store = await edited(
      s,
      `{ // by hand\n ours: {sessionId: 's1', label: 'x', updatedAt: 1}, theirs: {sessionId: 's2', label: ` +
        `'edited', updatedAt: 1}, more: {sessionId: 's3', updatedAt: 1,}, }`,
    );
    const entries = await all(store);
    assert.deepEqual(
      [entries['ours']?.label, entries['theirs']?.label, entries['more']?.sessionId],
      ['changed', 'edited', 's3'],
    );
    assert.deepEqual(await s.file(), entries);
  });

  it('who damages it costs nothing: memory is written anew and the file set aside', async () => {
    await using s = await harness();
    const store = await edited(s, '{ "ours": {"sess');
    assert.deepEqual(Object.keys(await all(store)), ['ours', 'theirs']);
    assert.ok((await readdir(s.folder)).some((name) => name.startsWith('sessions.json.corrupt-')));
  });

  it('who removes it costs nothing either', async () => {
    await using s = await harness();
    const store = await edited(s, undefined);
    assert.deepEqual(Object.keys(await all(store)), ['ours', 'theirs']);
    assert.deepEqual(Object.keys(await s.file()), ['ours', 'theirs']);
  });
});

const header = (id: string, sessionKey: string): string =>
  `${JSON.stringify({ type: 'session', version: 3, id, timestamp: '', cwd: '', sessionKey })}\n`;

describe('a file', () => {
  const read = async (
    text: string,
    files: Record<string, string> = {},
  ): Promise<{ entries: Record<string, SessionEntry>; names: string[]; redo: MemoryRedo }> => {
    await using s = await harness();
    for (const [name, content] of Object.entries({ ...files, 'sessions.json': text }))
      await writeFile(join(s.folder, name), content);
    const entries = await all(s.open());
    assert.deepEqual(await all(s.open()), entries, 'and again after a crash');
    return { entries, names: await readdir(s.folder), redo: s.redo };
  };

  it('written by hand in JSON5 is read, keys in lower case', async () => {
    const { entries, names } = await read(`// mine\n{ 'agent:main:Main': { sessionId: 'Id-1', updatedAt: 5, }, }`);
    assert.deepEqual(entries, { 'agent:main:main': { sessionId: 'Id-1', updatedAt: 5 } });
    assert.deepEqual(names, ['sessions.json']);
  });

  it('with the oldest field names is read', async () => {
    const old = { sessionId: 's', updatedAt: 1, provider: 'telegram', lastProvider: 'slack', room: '#r' };
    assert.deepEqual((await read(JSON.stringify({ k: old }, null, 2))).entries['k'], {
      sessionId: 's',
      updatedAt: 1,
      channel: 'telegram',
      lastChannel: 'slack',
      groupChannel: '#r',
    });
    assert.equal(
      (await read(JSON.stringify({ k: { ...old, channel: 'discord' } }))).entries['k']?.channel,
      'discord',
      "today's name wins",
    );
  });

  for (const text of ['[1, 2]', 'null', '"text"', '{ "k": {"sessionId": "torn', '']) {
    it(`that holds ${text || 'nothing'} is set aside and rebuilt from the transcripts`, async () => {
      const { entries, names } = await read(text, {
        's1.jsonl': header('s1', 'agent:main:main'),
        's2.jsonl': header('s2', 'agent:main:other'),
        'alien.jsonl': 'not ours\n',
      });
      assert.deepEqual(
        Object.entries(entries).map(([key, { sessionId }]) => [key, sessionId]),
        [
          ['agent:main:main', 's1'],
          ['agent:main:other', 's2'],
        ],
      );
      assert.equal(names.filter((name) => name.startsWith('sessions.json.corrupt-')).length, 1);
    });
  }

  it('with one bad entry keeps the good ones', async () => {
    const { entries, names } = await read(
      JSON.stringify({ good: { sessionId: 's1', label: 'kept', updatedAt: 1 }, bad: { updatedAt: 1 } }),
      { 's2.jsonl': header('s2', 'bad') },
    );
    assert.deepEqual([entries['good']?.label, entries['bad']?.sessionId], ['kept', 's2']);
    assert.equal(names.length, 3);
  });

  it('of 10 000 sessions is read and walked in slices', async () => {
    await using s = await harness();
    const lines = Array.from(
      { length: 10_000 },
      (_, n) =>
        `  "agent:main:s${n}": {"sessionId":"id-${n}","updatedAt":${n},"label":"a label of ordinary length ${n}"}`,
    );
    await writeFile(s.path, `{\n${lines.join(',\n')}\n}\n`);
    const store = s.open();
    const breathsDuring = async (work: () => Promise<unknown>): Promise<number> => {
      let breaths = 0;
      const breathe = (): void => {
        breaths++;
        timer = setImmediate(breathe);
      };
      let timer = setImmediate(breathe);
      await work();
      clearImmediate(timer);
      return breaths;
    };
    assert.ok((await breathsDuring(() => store.ready('main'))) >= 19);
    assert.equal(await store.count('main'), 10_000);
    assert.ok((await breathsDuring(() => all(store))) >= 19);
    assert.equal(store.loaded, 10_000);
  });
});
