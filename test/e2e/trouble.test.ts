/**
 * Bad input and failures: invalid model output, damaged and full disks. Each is reported, nothing is lost, the gateway
 * stays up (P10).
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { FakeReply } from '../../src/testing/fake-models/wire.ts';
import { createJournal } from '../../src/journal/create-journal.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { accepted } from '../../src/testing/sample-inbound.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';

const LIES: readonly { name: string; replies: readonly FakeReply[]; notice: RegExp }[] = [
  { name: 'a wrong key', replies: [{ error: 'auth' }], notice: /key|auth|401/i },
  {
    name: 'garbage instead of events',
    replies: [{ garbage: 'data: {{{\n\nnot even that' }, { garbage: '<html>' }, { garbage: '\u0000\u0001' }],
    notice: /fake/,
  },
  { name: 'a stream that breaks in the middle', replies: [{ cut: 'reset', text: ['half'] }], notice: /./ },
  { name: 'an empty answer, twice', replies: [{ text: [] }, { text: [] }], notice: /empty/i },
  { name: 'no body at all', replies: [{ silent: true }, { silent: true }, { silent: true }], notice: /nothing/ },
  { name: 'an unknown model', replies: [{ error: 'unknown-model' }], notice: /model/i },
];

describe('a model that misbehaves', () => {
  for (const { name, replies, notice: reported } of LIES) {
    it(`with ${name} is told to the person, and the next message works`, async () => {
      await using gateway = await startGateway();
      await using chat = await gateway.connect();
      gateway.models.reply(...replies);
      const end = await (await chat.send('hi')).ended;
      assert.equal(end.state, 'error', JSON.stringify(end.payload));
      assert.match(end.payload.errorMessage, reported);
      const last = (await chat.history()).at(-1)!.text;
      assert.ok(last.includes(end.payload.errorMessage), `who asks at once finds it in the history: ${last}`);
      gateway.models.reply({ text: ['fine now'] });
      assert.equal(await chat.say('again'), 'fine now');
    });
  }

  it('by being busy for a moment is asked again without a word', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    gateway.models.reply(
      { error: 'rate', headers: { 'retry-after-ms': '5', 'retry-after': '0' } },
      { error: 'overloaded' },
      { text: ['here'] },
    );
    assert.equal(await chat.say('hi'), 'here');
    assert.equal(gateway.models.requests.length, 3);
  });

  it('gives way to its fallback', async () => {
    await using gateway = await startGateway();
    await gateway.writeConfig({ agents: { defaults: { model: { primary: 'fake/gone', fallbacks: ['fake/model'] } } } });
    await gateway.instance.config.reload();
    await using chat = await gateway.connect();
    gateway.models.reply({ error: 'unknown-model' }, { text: ['from the fallback'] });
    assert.equal(await chat.say('hi'), 'from the fallback');
    assert.deepEqual(
      gateway.models.requests.map(({ body }) => body.model),
      ['gone', 'model'],
    );
  });

  it('that nobody knows is named with advice', async () => {
    await using gateway = await startGateway({ config: { agents: { defaults: { model: 'fakee/model' } } } });
    await using chat = await gateway.connect();
    const end = await (await chat.send('hi')).ended;
    assert.match(end.payload.errorMessage, /fakee/);
    assert.deepEqual(
      (await chat.history()).map(({ role }) => role),
      ['user', 'assistant'],
      'what was asked stands before why it failed',
    );
  });
});

describe('storage trouble', () => {
  it('a damaged journal refuses messages loudly and keeps serving history', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ text: ['kept'] });
      await chat.say('hi');
    }
    await gateway.restart({
      while: () => {
        for (const file of readdirSync(gateway.stateDir).filter((name) => /-(wal|shm)$/.test(name)))
          writeFileSync(join(gateway.stateDir, file), '');
        writeFileSync(
          join(gateway.stateDir, 'journal.sqlite'),
          'this is not a database, and it is long enough to look like one'.repeat(100),
        );
      },
    });
    await using chat = await gateway.connect();
    await assert.rejects(chat.send('lost?'), /journal\.sqlite.*not a database.*doctor/s);
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['hi', 'kept'],
    );
    assert.equal((await gateway.fetch('/readyz')).status, 503);
    assert.equal((await gateway.fetch('/healthz')).status, 200);
  });

  it('a broken session store is set aside and rebuilt from the transcripts', async () => {
    await using gateway = await startGateway();
    const folder = join(gateway.stateDir, 'agents', 'main', 'sessions');
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ text: ['one'] }, { text: ['two'] });
      await chat.say('hi');
      await chat.say('there', { session: 'other' });
    }
    await gateway.restart({
      while: () => writeFileSync(join(folder, 'sessions.json'), '{\n  "agent:main:main": {"sessionId": "torn'),
    });
    await using chat = await gateway.connect();
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['hi', 'one'],
    );
    assert.deepEqual(
      (await chat.history('other')).map(({ text }) => text),
      ['there', 'two'],
    );
    assert.ok(readdirSync(folder).some((name) => name.startsWith('sessions.json.corrupt-')));
  });

  it('an array in the session store is not spread and not lost', async () => {
    await using gateway = await startGateway({
      before: async (stateDir) => {
        const folder = join(stateDir, 'agents', 'main', 'sessions');
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'sessions.json'), '[1, 2]');
      },
    });
    await using chat = await gateway.connect();
    assert.equal(await chat.say('hi'), 'ok');
    const folder = join(gateway.stateDir, 'agents', 'main', 'sessions');
    assert.ok(readdirSync(folder).some((name) => name.startsWith('sessions.json.corrupt-')));
  });

  it('a transcript with a torn last line and a broken one goes on', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      await chat.say('hi');
    }
    const folder = join(gateway.stateDir, 'agents', 'main', 'sessions');
    const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl'))!);
    await gateway.restart({
      while: () => writeFileSync(file, `${readFileSync(file, 'utf8')}not json\n{"type":"message","id":"torn`),
    });
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['still good'] });
    assert.equal(await chat.say('more'), 'still good');
    const rows = readFileSync(file, 'utf8').trim().split('\n');
    assert.doesNotThrow(() => JSON.parse(rows.at(-1)!));
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['hi', 'ok', 'more', 'still good'],
    );
  });

  const mount = canMount();
  it('a full disk refuses with the reason, and takes messages again when there is room', {
    skip: mount ? false : 'needs root to mount a small file system',
  }, async () => {
    await using gateway = await startGateway({
      before: async (stateDir) => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', stateDir]),
      offline: true,
      after: unmount,
    });
    await using chat = await gateway.connect();
    assert.match(await chat.say('fits'), /concierge/);
    fill(gateway.stateDir);
    const refusals: string[] = [];
    for (let n = 0; n < 40 && refusals.length === 0; n++)
      await chat.send('x'.repeat(20_000), { session: `s${n}` }).catch((error: Error) => refusals.push(error.message));
    assert.match(refusals[0] ?? 'nothing was refused', /full/);
    assert.equal((await gateway.fetch('/healthz')).status, 200);
    assert.ok((await chat.history()).some(({ text }) => text === 'fits'));
    execFileSync('mount', ['-o', 'remount,size=64m', gateway.stateDir]);
    assert.match(await chat.say('room again', { session: 'after' }), /concierge/);
  });

  it('an idle journal finds out that there is room again', {
    skip: mount ? false : 'needs root to mount a small file system',
  }, async () => {
    await using dir = await tempDir('room');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', dir.path]);
    const journal = createJournal({ path: join(dir.path, 'journal.sqlite') });
    try {
      fill(dir.path);
      await assert.rejects(journal.inbound.accept(accepted({ text: 'x'.repeat(300_000) }), 'r1'), /full/);
      // The last page of its log may have room for what it tries; each try takes some of that.
      for (let n = 0; n < 40 && (await journal.writable()); n++)
        await assert.rejects(journal.inbound.accept(accepted({ text: 'x'.repeat(300_000) }), 'r1'), /full/);
      assert.deepEqual([await journal.writable(), (await journal.health()).failure?.code], [false, 'storage']);
      execFileSync('mount', ['-o', 'remount,size=8m', dir.path]);
      assert.deepEqual([await journal.writable(), (await journal.health()).failure], [true, undefined]);
    } finally {
      await journal.close();
      unmount(dir.path);
    }
  });

  it('a read-only state directory starts, says so and takes nothing', {
    skip: mount ? false : 'needs root to mount a read-only file system',
  }, async () => {
    await using gateway = await startGateway({
      before: async (stateDir) => {
        execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', stateDir]);
        execFileSync('mount', ['-o', 'remount,ro', stateDir]);
      },
      offline: true,
      after: unmount,
    });
    await using chat = await gateway.connect();
    await assert.rejects(chat.send('hi'), /read-only|opened/);
    assert.equal((await gateway.fetch('/readyz')).status, 503);
  });
});

/** Mounting needs root and the kernel's leave; a container may have neither. */
function canMount(): boolean {
  try {
    execFileSync(
      'sh',
      ['-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; r=$?; rmdir "$d"; exit $r'],
      { stdio: 'ignore' },
    );
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === undefined) throw error;
    return false;
  }
}

const unmount = (stateDir: string): void => void execFileSync('umount', ['-l', stateDir]);

/** Leaves no block free. */
function fill(dir: string): void {
  for (const size of [65_536, 4096, 512]) {
    for (let n = 0; n < 4000; n++) {
      try {
        writeFileSync(join(dir, 'ballast'), Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') break;
        throw error;
      }
    }
  }
}
