/**
 * `backup` at rest: what is copied, what is left out, and where it refuses. The busy gateway is in
 * test/crash/backup.test.ts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { present } from '../../core/present.ts';
import { built } from '../../testing/built.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { fakeTerminal, type Answers } from '../fake.ts';

async function home(t: TestContext, answers?: Answers) {
  const dir = await tempDir('backup');
  t.after(() => dir[Symbol.asyncDispose]());
  const state = join(dir.path, '.clawdbot');
  await mkdir(join(state, 'agents', 'main', 'sessions'), { recursive: true, mode: 0o700 });
  await mkdir(join(state, 'logs'));
  for (const [name, text] of Object.entries({
    'clawdbot.json': '{}',
    'gateway.token': 'secret',
    'gateway.lock': '{}',
    'logs/a.log': 'x',
    '.sessions.json.1.ab.tmp': 'half',
    'agents/main/sessions/s.jsonl': '{}\n',
  }))
    await writeFile(join(state, name), text, { mode: 0o644 });
  await symlink('/somewhere/skill', join(state, 'skill'));
  const run = async (...argv: string[]) => {
    const io = fakeTerminal({ vars: { HOME: dir.path }, ...present({ answers }) });
    return {
      code: await runCli(['backup', ...argv], io),
      out: io.lines.join('\n'),
      err: io.errors.join('\n'),
      signs: io.signs(),
    };
  };
  return { run, state, at: (name: string) => join(dir.path, name) };
}

test('a backup is a state directory: private, with the journal, without what belongs to the process', async (t) => {
  const { run, state, at } = await home(t);
  const db = new DatabaseSync(join(state, 'journal.sqlite'));
  db.exec('PRAGMA journal_mode=WAL; CREATE TABLE a (x); INSERT INTO a VALUES (7)');
  t.after(() => db.close());
  const { code, out, err } = await run(at('copy'));
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /the journal and 3 files, 0\.0 MiB\. It contains your secrets/);
  assert.match(
    out,
    new RegExp(
      `Not included: the target of the link skill \\(/somewhere/skill\\)\\.\nNot included: ${at('clawd')} \\(a workspace\\)\\.`,
    ),
  );
  assert.doesNotMatch(out, /secret$/m);
  assert.deepEqual(readdirSync(at('copy')).toSorted(), [
    'agents',
    'clawdbot.json',
    'gateway.token',
    'journal.sqlite',
    'skill',
  ]);
  using copy = new DatabaseSync(at('copy/journal.sqlite'), { readOnly: true });
  assert.equal(copy.prepare('SELECT x FROM a').get()?.['x'], 7, 'what is still in the write-ahead log is in it');
  assert.equal(await readFile(at('copy/agents/main/sessions/s.jsonl'), 'utf8'), '{}\n');
  for (const name of ['copy/gateway.token', 'copy/journal.sqlite'])
    assert.equal(statSync(at(name)).mode & 0o777, 0o600, name);
});

test('for programs it is JSON', async (t) => {
  const { run, at } = await home(t);
  const { out, signs } = await run(at('copy'), '--json');
  assert.deepEqual(JSON.parse(out), {
    path: at('copy'),
    journal: false,
    files: 3,
    bytes: 11,
    elsewhere: ['the target of the link skill (/somewhere/skill)', `${at('clawd')} (a workspace)`],
  });
  assert.equal(signs, '', 'nobody looks');
});

test('a configuration that is damaged is copied like everything else', async (t) => {
  const { run, state, at } = await home(t);
  await writeFile(join(state, 'clawdbot.json'), '{ gateway: ');
  assert.equal((await run(at('copy'))).code, 0);
  assert.equal(await readFile(at('copy/clawdbot.json'), 'utf8'), '{ gateway: ');
});

test('a backup goes nowhere it could harm', async (t) => {
  const { run, state, at } = await home(t);
  await mkdir(at('there'));
  await writeFile(at('there/x'), '');
  await mkdir(at('copy.part'));
  await symlink(state, at('way-in'));
  await symlink(at('nowhere'), at('loose'));
  assert.match((await run(at('there'))).err, /already exists\. Choose a new folder/);
  assert.match((await run(at('there/x'))).err, /already exists/);
  assert.match((await run(at('there/x/y'))).err, /not a directory|ENOTDIR/i);
  for (const inside of [state, join(state, 'copy'), join(state, 'deep', 'copy'), at('way-in/copy')])
    assert.match((await run(inside)).err, /is inside the state directory/, inside);
  assert.equal((await run(at('loose'))).code, 1);
  assert.equal((await run(at('..copy'))).code, 0);
  assert.equal((await run(at('copy'))).code, 0);
  assert.equal(existsSync(at('copy.part')), true, "a folder of that name is somebody else's");
  await rm(state, { recursive: true });
  const { code, err } = await run(at('later'));
  assert.deepEqual([code, existsSync(at('later'))], [1, false]);
  assert.match(err, /Nothing to back up: .*\.clawdbot does not exist/);
});

test('a damaged journal is said, and leaves nothing half done', async (t) => {
  const { run, state, at } = await home(t);
  await writeFile(join(state, 'journal.sqlite'), 'this is no database at all');
  const { code, err } = await run(at('copy'));
  assert.equal(code, 1);
  assert.match(err, /Could not copy .*journal\.sqlite: .*not a database.*doctor/s);
  assert.deepEqual(readdirSync(at('.')).toSorted(), ['.clawdbot']);
});

test('a gateway that names any other file than a copy in the state directory has nothing copied, and nothing removed', async (t) => {
  const named = { path: '' };
  const { run, state, at } = await home(t, { 'journal.copy': () => named });
  const db = new DatabaseSync(join(state, 'journal.sqlite'));
  t.after(() => db.close());
  db.exec('PRAGMA journal_mode=WAL; PRAGMA locking_mode=EXCLUSIVE; CREATE TABLE a (x); BEGIN EXCLUSIVE');
  await mkdir(at('mine'));
  await writeFile(at('mine/letter'), 'dear');
  for (const path of [
    at('mine'),
    at('mine/letter'),
    join(state, 'gateway.token'),
    join(state, 'tmp', '..', 'gateway.token'),
  ]) {
    named.path = path;
    const { code, err } = await run(at('copy'));
    assert.deepEqual([code, existsSync(at('copy'))], [1, false], path);
    assert.match(err, /locked by a process other than this gateway/);
  }
  assert.equal(await readFile(at('mine/letter'), 'utf8'), 'dear');
  assert.equal(await readFile(join(state, 'gateway.token'), 'utf8'), 'secret');
});

test('a disk that takes no more leaves nothing half done', {
  skip: process.platform === 'win32' && 'no such limit',
}, async (t) => {
  const { state, at } = await home(t);
  await writeFile(join(state, 'big'), Buffer.alloc(3_000_000));
  // The shell counts in kilobytes or in blocks of 512 bytes: less than the file either way. `node:v8` caches are off,
  // for they would be cut too.
  const args = ['-c', 'ulimit -f 2048; exec "$0" "$2" backup "$1"', process.execPath, at('copy'), built('src/main.ts')];
  const { status, stderr, stdout } = spawnSync('sh', args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: at('.'), NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /Could not copy .*big/);
  assert.deepEqual(readdirSync(at('.')).toSorted(), ['.clawdbot']);
});
