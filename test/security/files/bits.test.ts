// Files from a sandbox have no special rights: every way to a set-id bit, a device or a capability, with a working
// counterpart.
import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBubblewrap } from '../../../src/features/exec/platform/bubblewrap.ts';
import { createSandboxes } from '../../../src/features/exec/sandbox/create-sandboxes.ts';
import { silentLog } from '../../../src/core/log.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { exec } from '../../../src/platform/exec.ts';
import { sandboxFixture } from '../../../src/testing/sandbox-fixture.ts';

const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const skip =
  'problem' in bubblewrap
    ? bubblewrap.problem
    : process.arch === 'x64'
      ? false
      : 'its system calls are called by their numbers on x64';
/** Perl hands no constant to a system call. */
const call = (text: string): string =>
  `perl -e 'sub c { my ($call, @with) = @_; syscall($call, @with) } ${text.replaceAll('syscall(', 'c(')}'`;

/** Perl's `syscall`: no library stands between. What each makes lies in the workspace as `x…`. */
const TRIES: readonly string[] = [
  'cp /bin/sh x1; chmod u+s x1',
  'cp /bin/sh x2; chmod 2755 x2',
  'cp /bin/sh x3; chmod 7777 x3',
  'install -m 4755 /bin/sh x4',
  'mkdir x5; chmod g+s x5',
  'mkdir -m 6755 x6',
  call('open F,">","x7"; syscall(90,"x7",04755)'),
  call('open F,">","x8"; syscall(91,fileno F,02755)'),
  call('open F,">","x9"; syscall(268,-100,"x9",04755)'),
  call('open F,">","x10"; syscall(452,-100,"x10",04755,0)'),
  call('open F,">","x10b"; syscall(90,"x10b",0x7fff0000|04755)'),
  call('syscall(85,"x11",04755)'),
  call('syscall(2,"x12",0101,04755)'),
  call('syscall(257,-100,"x13",0101,02755)'),
  call('syscall(257,-100,"x14",0102000101,06755)'),
  call('my $how=pack("QQQ",0101,04755,0); syscall(437,-100,"x15",$how,24)'),
  call('my $f=syscall(257,-100,".",020200002,04755); syscall(265,$f,"",-100,"x16",0x1000)'),
  call('syscall(133,"x17",0104755,0)'),
  call('syscall(259,-100,"x18",0104755,0)'),
  call('syscall(133,"x19",020666,0)'),
  call('syscall(133,"x20",020666,0x103)'),
  call('syscall(133,"x21",060666,0x800)'),
  'mknod x22 c 0 0',
  call('syscall(0x40000000+90,"/workspace/x23",04755)'),
  call(
    'open F,">","x24"; my $v=pack("VVVVV",0x02000001,0xffffffff,0,0,0); syscall(188,"x24","security.capability",$v,20,0)',
  ),
  call('syscall(425,8,"\\0"x128)>=0 and open F,">","x25-ring"'),
  call('syscall(272,0x10000000)==0 and open F,">","x26-users"'),
  call('open F,">","x27"; syscall(190,fileno F,"security.capability",pack("VVVVV",0x02000001,0xffffffff,0,0,0),20,0)'),
  'tar -cf t --mode=4755 readme; tar -xpf t --transform s/readme/x28/',
  'umask 0; python3 -c "import os; os.open(\'x29\', os.O_CREAT, 0o6777)"',
];
const WORKS = [
  'chmod 755 readme && test -x readme',
  'chmod 1777 . && chmod 755 .',
  'mkfifo pipe && rm pipe',
  'umask 022; echo x > new && test "$(stat -c %a new)" = 644',
  'mkdir -m 700 private',
  'cp -a readme copied',
  'mkdir -p a/b && mv a c && rm -r c',
  'tar -cf t readme && tar -xpf t',
  'install -m 755 readme installed',
  'touch -d 2001-01-01 readme',
  'sh -c "sleep 0 & wait"',
  'ln readme second && ln -s readme link2',
  'perl -e "fork; wait"',
];

test('no set-id bit, device or capability reaches the workspace', { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  await fixture.run(TRIES.map((line) => `(cd /workspace; ${line}) >/dev/null 2>&1`).join('\n'));
  const names = (await readdir(fixture.workspace)).filter((name) => name.startsWith('x'));
  const bad: string[] = [];
  for (const name of names) {
    const facts = await lstat(join(fixture.workspace, name));
    if ((facts.mode & 0o6000) !== 0 || facts.isBlockDevice() || facts.isCharacterDevice() || /ring|users/.test(name))
      bad.push(`${name} ${facts.mode.toString(8)}`);
  }
  assert.deepEqual(bad, []);
  assert.ok(names.length >= 5, `they were tried: ${names}`);
  t.diagnostic(`files, bits: ${TRIES.length}/${TRIES.length} ways refused`);
});

test('what is no more than a file works as before', { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  for (const line of WORKS)
    assert.match((await fixture.run(`cd /workspace; ${line} && echo FINE`)).output, /FINE\n$/, line);
  t.diagnostic(`files, bits: ${WORKS.length}/${WORKS.length} neighbours work`);
});

test('a folder around the state directory cannot be renamed, which would show what is hidden to the next command', {
  skip,
}, async () => {
  await using fixture = await sandboxFixture();
  const state = join(fixture.workspace, '.config/deep/clawdbot');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'clawdbot.json'), 'PRIVATE-TOKEN');
  const sandboxes = createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: state });
  const run = async (shellCommand: string): Promise<string> => {
    const wrapped = await sandboxes.wrap(fixture.setting(), { shellCommand, env: {}, pty: false });
    assert.ok(!('problem' in wrapped));
    const ran = await exec({
      command: wrapped.argv[0],
      args: wrapped.argv.slice(1),
      env: wrapped.env,
      cwd: wrapped.cwd,
      timeoutMs: 10_000,
      maxOutputBytes: 10_000,
      signal: new AbortController().signal,
    });
    await wrapped.onEnd?.();
    return ran.stdout.toString() + ran.stderr;
  };
  await run('mv .config moved; mv .config/deep .config/moved; touch .config/fine');
  assert.doesNotMatch(await run('cat moved/deep/clawdbot/* .config/*/clawdbot/* moved/*/*; true'), /PRIVATE/);
  assert.equal(await readFile(join(state, 'clawdbot.json'), 'utf8'), 'PRIVATE-TOKEN');
  assert.deepEqual((await readdir(join(fixture.workspace, '.config'))).sort(), ['deep', 'fine']);
});
