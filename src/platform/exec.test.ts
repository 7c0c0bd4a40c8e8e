import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '../testing/temp-dir.ts';
import { exec, findProgram, type ExecRequest } from './exec.ts';

const PATH = process.env['PATH']!;
const MIB = 1024 * 1024;

const run = (command: string, args: readonly string[], more: Partial<ExecRequest> = {}) =>
  exec({
    command,
    args,
    env: { PATH },
    timeoutMs: 20_000,
    maxOutputBytes: MIB,
    signal: new AbortController().signal,
    ...more,
  });
const node = (script: string, more: Partial<ExecRequest> = {}) => run(process.execPath, ['-e', script], more);

async function folder(t: TestContext): Promise<string> {
  const dir = await tempDir('exec');
  t.after(() => dir[Symbol.asyncDispose]());
  return dir.path;
}

/** Resolves when no process has the id any more; a zombie nobody reaped counts as gone. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => stat.slice(stat.lastIndexOf(')') + 2)[0],
      () => 'gone',
    );
    if (state === 'gone' || state === 'Z') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('output, errors, exit code and duration come back', async () => {
  const result = await node('process.stdout.write("out"); process.stderr.write("err"); process.exitCode = 3');
  assert.equal(result.kind === 'exited' && result.code, 3);
  assert.deepEqual([result.stdout.toString(), result.stderr], ['out', 'err']);
  assert.ok(result.ms > 0);
});

test('T37 arguments reach the program as they are: there is no shell', async () => {
  const odd = ['https://a.example/;$(touch x)`id`', '', 'two words', "it's", '--', '*'];
  const result = await run(process.execPath, [
    '-e',
    'process.stdout.write(JSON.stringify(process.argv.slice(1)))',
    '--',
    ...odd,
  ]);
  assert.deepEqual(JSON.parse(result.stdout.toString()), odd);
});

test('the environment is exactly the one given, the folder too', async (t) => {
  const cwd = await folder(t);
  const result = await node('process.stdout.write(JSON.stringify([Object.keys(process.env), process.cwd()]))', {
    env: { PATH, ONLY: '1' },
    cwd,
  });
  assert.deepEqual(JSON.parse(result.stdout.toString()), [['PATH', 'ONLY'], cwd]);
});

test('binary input and output pass unchanged', async () => {
  const input = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
  const result = await node('process.stdin.pipe(process.stdout)', { input });
  assert.ok(result.stdout.equals(input));
});

test('a program that does not read its input is no error', async () => {
  const result = await node('process.stdin.destroy(); process.stdout.write("done")', { input: Buffer.alloc(4 * MIB) });
  assert.deepEqual([result.kind, result.stdout.toString()], ['exited', 'done']);
});

test('T35 a program that hangs is ended with its children', async () => {
  const script =
    'const {spawn}=require("child_process");const ' +
    'c=spawn(process.execPath,["-e","setInterval(()=>{},1e3)"]);process.stdout.write(process.pid+" ' +
    '"+c.pid);setInterval(()=>{},1e3)';
  const result = await node(script, { timeoutMs: 1500 });
  assert.equal(result.kind, 'timeout');
  const pids = result.stdout.toString().split(' ').map(Number);
  assert.equal(pids.length, 2);
  await Promise.all(pids.map(gone));
});

test('a program that ignores SIGTERM is killed', async () => {
  const result = await node(
    'process.on("SIGTERM",()=>process.stdout.write("no"));process.stdout.write(String(process.pid)+" ' +
      '");setInterval(()=>{},1e3)',
    { timeoutMs: 1500 },
  );
  assert.equal(result.kind, 'timeout');
  const [pid, answer] = result.stdout.toString().split(' ');
  assert.equal(answer, 'no', 'it was asked first');
  await gone(Number(pid));
});

test('what a program leaves behind in its group is killed, and its pipes are not waited for', async () => {
  const script =
    'const {spawn}=require("child_process");const ' +
    'c=spawn(process.execPath,["-e","setInterval(()=>{},1e3)"],{stdio:"inherit"});c.unref();process.stdout.write(String(c.pid))';
  const result = await node(script);
  assert.equal(result.kind, 'exited');
  await gone(Number(result.stdout.toString()));
});

test('a grandchild that left the group and holds the pipes open does not hold us up', async (t) => {
  const script =
    'const {spawn}=require("child_process");const ' +
    'c=spawn(process.execPath,["-e","setInterval(()=>{},1e3)"],{stdio:"inherit",detached:true});c.unref();process.stdout.write(String(c.pid))';
  const result = await node(script);
  const pid = Number(result.stdout.toString());
  t.after(() => process.kill(pid, 'SIGKILL'));
  assert.equal(result.kind, 'exited');
});

test('T36 a program that prints 100 MB is stopped at the limit; what fits is kept', async () => {
  const result = await run('yes', [], { maxOutputBytes: 100_000 });
  assert.equal(result.kind, 'too_much_output');
  assert.equal(result.stdout.length, 100_000);
  const exact = await node('process.stdout.write("x".repeat(1000))', { maxOutputBytes: 1000 });
  assert.equal(exact.kind, 'exited');
});

test('of standard error the last 8 KiB stay, from a whole character on', async () => {
  const result = await node('process.stderr.write("a"+"é".repeat(50000)+"end")');
  assert.ok(result.stderr.endsWith('éend'));
  assert.ok(Buffer.byteLength(result.stderr) <= 8192 && Buffer.byteLength(result.stderr) > 8000);
  assert.doesNotMatch(result.stderr, /\ufffd/);
});

test('an end by signal names it', async () => {
  const result = await node('process.kill(process.pid,"SIGSEGV");setInterval(()=>{},1e3)');
  assert.equal(result.kind === 'signalled' && result.signalName, 'SIGSEGV');
});

test('a program that closes its output early and goes on is waited for', async () => {
  const result = await run('sh', ['-c', 'printf early; exec >&- 2>&-; sleep 0.1; exit 4']);
  assert.deepEqual([result.kind === 'exited' && result.code, result.stdout.toString()], [4, 'early']);
});

test('an abort ends it; one from before does not start it', async (t) => {
  const marker = join(await folder(t), 'started');
  const script = `require("fs").writeFileSync(${JSON.stringify(marker)},"");setInterval(()=>{},1e3)`;
  assert.equal((await node(script, { signal: AbortSignal.abort() })).kind, 'aborted');
  await assert.rejects(readFile(marker));
  const stop = new AbortController();
  const running = node(script, { signal: stop.signal });
  while (
    !(await readFile(marker).then(
      () => true,
      () => false,
    ))
  );
  stop.abort();
  assert.equal((await running).kind, 'aborted');
});

test('a start that fails says why in a sentence', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'plain'), 'text');
  const reason = async (command: string, more: Partial<ExecRequest> = {}, args: string[] = []) => {
    const result = await run(command, args, more);
    return result.kind === 'not_started' ? result.reason : `no failure but ${result.kind}`;
  };
  assert.equal(
    await reason('no-such-program-here'),
    'no-such-program-here was not found; install it or give its full path',
  );
  assert.match(await reason(join(dir, 'missing')), /missing does not exist$/);
  assert.match(await reason(join(dir, 'plain')), /is not executable; `chmod \+x` makes it so$/);
  assert.match(await reason(dir), /is a folder$/);
  assert.equal(
    await reason(process.execPath, { cwd: join(dir, 'nowhere') }),
    `the working folder ${join(dir, 'nowhere')} does not exist`,
  );
  assert.match(await reason(process.execPath, {}, ['a\0b']), /contains a null character$/);
  assert.match(await reason(process.execPath, {}, ['x'.repeat(8 * MIB)]), /are too long for the system$/);
  await chmod(join(dir, 'plain'), 0o755);
  await writeFile(join(dir, 'plain'), '#!/no/such/interpreter\n');
  assert.match(
    await reason(join(dir, 'plain')),
    /could not be started \(ENOENT\); check that its interpreter is installed$/,
  );
});

test('a program is found on PATH when it can be executed', async (t) => {
  const dir = await folder(t);
  await writeFile(join(dir, 'tool'), '#!/bin/sh\n');
  assert.equal(await findProgram('tool', dir), undefined);
  await chmod(join(dir, 'tool'), 0o755);
  assert.equal(await findProgram('tool', `relative:${dir}:/usr/bin`), join(dir, 'tool'));
  assert.equal(await findProgram(join(dir, 'tool'), undefined), join(dir, 'tool'));
  assert.equal(await findProgram('tool', undefined), undefined);
  assert.equal(await findProgram('..', dir), undefined, 'a folder is no program');
});
