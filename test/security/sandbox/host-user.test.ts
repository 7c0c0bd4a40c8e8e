// Processes in a sandbox have an unprivileged user on the host when the gateway is root, while they run and in the
// files they leave.
import assert from 'node:assert/strict';
import { chown, link, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSandboxes } from '../../../src/features/exec/sandbox/create-sandboxes.ts';
import { silentLog } from '../../../src/core/log.ts';
import { findBubblewrap } from '../../../src/features/exec/platform/bubblewrap.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { statIfExists } from '../../../src/platform/files.ts';
import { ownUser } from '../../../src/platform/own-user.ts';
import { replaceFiles } from '../../../src/platform/replace-files.ts';
import { sandboxFixture } from '../../../src/testing/sandbox-fixture.ts';
import { realShell } from '../../../src/testing/real-shell.ts';
import { until } from '../../../src/testing/until.ts';

const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const skip =
  'problem' in bubblewrap
    ? bubblewrap.problem
    : ownUser()?.uid === 0
      ? false
      : 'the gateway is an ordinary user, and so is the box';

test('no process of a box is root or the gateway, or has a right or a group of theirs', { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  const run = fixture.run(
    'for i in 1 2 3; do sh -c "sleep 600; : $MARK" & done; until [ -e /workspace/seen ]; do sleep 0.05; done',
  );
  await until(async () => (await fixture.alive()).length >= 3, 'processes of the box');
  const statuses = await Promise.all((await fixture.alive()).map((pid) => readFile(`/proc/${pid}/status`, 'utf8')));
  await writeFile(join(fixture.workspace, 'seen'), '');
  await run;
  for (const status of statuses) {
    const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)![1]!.trim();
    for (const name of ['Uid', 'Gid'])
      assert.ok(
        field(name)
          .split(/\s+/)
          .every((id) => Number(id) >= 60_000),
        `${name}: ${field(name)}`,
      );
    assert.equal(field('Groups'), '');
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(field(name), /^0+$/, name);
    assert.deepEqual([field('NoNewPrivs'), field('Seccomp')], ['1', '2']);
  }
  t.diagnostic(`host user: ${statuses.length}/${statuses.length} processes are nobody's`);
});

const MAKES = [
  'touch a',
  'echo x > b',
  'mkdir c',
  'cp /bin/true d',
  'ln -s b e',
  'mkfifo f',
  'tar -cf g b && mkdir h && tar -xf g -C h',
  'install -m 755 /bin/true i',
  'mkdir -p j/k && mv b j/k/l',
  'perl -e \'open F,">","m"\'',
  'echo more >> readme',
  'sed -i s/hello/hullo/ readme',
  'git init -q n',
  'ln d o',
];

test("nothing a box makes or changes is root's, in either kind of workspace", { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  const own = fixture.setting({ workspaceAccess: 'none' }).workspace;
  for (const line of MAKES)
    assert.match((await fixture.run(`cd /workspace; ${line} && echo FINE`)).output, /FINE\n$/, line);
  await fixture.run('echo x > a; mkdir b', { sandbox: { workspaceAccess: 'none' } });
  const owners = await Promise.all(
    [...(await below(fixture.workspace)), ...(await below(own))].map(
      async (path) => [path, (await lstat(path)).uid] as const,
    ),
  );
  assert.deepEqual(
    owners.filter(([, uid]) => uid < 60_000),
    [],
  );
  assert.ok(owners.length > MAKES.length + 2);
  t.diagnostic(`host user: ${owners.length}/${owners.length} files are nobody's`);
});

/** Each prints `ESCAPED` when it works. */
const TRIES: readonly string[] = [
  'cat hard && echo ESCAPED',
  'echo x >> hard && echo ESCAPED',
  'cat theirs && echo ESCAPED',
  'rm -f .state/x; ls -a .state && echo ESCAPED',
  'chmod 777 .state && echo ESCAPED',
  'cat /proc/1/environ && echo ESCAPED',
  'ls /proc/1/fd && echo ESCAPED',
  'ls /proc/1/root/ && echo ESCAPED',
  'ls /proc/1/cwd/ && echo ESCAPED',
  'kill -9 1 && echo ESCAPED',
  'kill -STOP 1 && echo ESCAPED',
  'for p in /proc/[0-9]*/root /proc/[0-9]*/cwd /proc/*/fd/*; do cat "$p$HOST_HOME/.ssh/id_ed25519" "$p/../../home/.ssh/id_ed25519" && echo ESCAPED; done',
  '/workspace/rootly -p -c "id -u" | grep -qx 0 && echo ESCAPED',
  'chown 0:0 readme && echo ESCAPED',
  'setpriv --reuid 0 true && echo ESCAPED',
  'setpriv --groups 0 true && echo ESCAPED',
  `perl -e 'print "ESCAPED" if syscall(250,0,-3,0) > 0'`,
  `perl -e 'my ($t,$d,$p)=("user","d","p"); print "ESCAPED" if syscall(248,$t,$d,$p,1,-3) > 0'`,
  `perl -e 'my ($t,$d)=("user","d"); my $n=syscall(249,$t,$d,0,-3); print "ESCAPED" if $n > 0 or $!{ENOKEY}'`,
];

test("what is root's alone stays root's, whichever way a box comes upon it", {
  skip: skip || process.arch !== 'x64',
}, async (t) => {
  await using fixture = await sandboxFixture();
  const { workspace, home } = fixture;
  const key = join(home, '.ssh/id_ed25519');
  await mkdir(join(workspace, '.state'), { mode: 0o700 });
  await Promise.all([
    writeFile(key, 'PRIVATE-KEY', { mode: 0o600 }),
    writeFile(join(workspace, 'theirs'), 'PRIVATE', { mode: 0o600 }),
    writeFile(join(workspace, '.state/x'), 'PRIVATE', { mode: 0o600 }),
    writeFile(join(workspace, 'rootly'), await readFile('/bin/sh'), { mode: 0o755 }),
  ]);
  await chown(join(workspace, 'theirs'), 12_345, 12_345);
  await writeFile(join(home, 'kept'), 'PRIVATE', { mode: 0o600 });
  await link(join(home, 'kept'), join(workspace, 'hard'));
  const sandboxes = createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: join(workspace, '.state') });
  const around = ['/bin/bash', '-c', 'exec 8<"$0" 88<"$0/.ssh"; exec "$@"', home];
  for (const line of TRIES)
    assert.doesNotMatch(
      (await fixture.run(`cd /workspace; { ${line}; } 2>&1`, { around, with: sandboxes })).output,
      /ESCAPED|PRIVATE/,
      line,
    );
  for (const path of [key, join(home, 'kept'), join(workspace, '.state'), join(workspace, '.state/x')])
    assert.equal((await stat(path)).uid, 0, path);
  assert.equal((await stat(join(workspace, 'theirs'))).uid, 12_345);
  t.diagnostic(`host user: ${TRIES.length}/${TRIES.length} refused`);
});

test('giving the workspace away is led nowhere by a box that swaps folders for links meanwhile', {
  skip,
}, async (t) => {
  await using fixture = await sandboxFixture();
  await mkdir(join(fixture.workspace, 'deep/er'), { recursive: true });
  const swapping = fixture.run(
    `cd /workspace; perl -e 'until (-e "stop") { rename "deep/er", "deep/x"; symlink $ENV{HOST_HOME}, "deep/er"; unlink "deep/er"; rename "deep/x", "deep/er"; rename "deep", "y"; symlink $ENV{HOST_HOME}, "deep"; unlink "deep"; rename "y", "deep" }'`,
  );
  for (let round = 0; round < 40; round++) {
    for (const folder of ['deep', 'deep/er', 'y', 'y/x'])
      await writeFile(join(fixture.workspace, folder, `f${round}`), '').catch(() => undefined);
    const wrapped = await fixture.sandboxes.wrap(fixture.setting(), { shellCommand: 'true', env: {}, pty: false });
    assert.ok(!('problem' in wrapped));
    await wrapped.onEnd?.();
  }
  await writeFile(join(fixture.workspace, 'stop'), '');
  await swapping;
  for (const path of [fixture.home, join(fixture.home, '.ssh'), join(fixture.home, '.ssh/id_ed25519')])
    assert.equal((await stat(path)).uid, 0, path);
  t.diagnostic('host user: 40/40 times given away, nothing outside');
});

test('a folder the machine rests on is not given away: nothing runs, and the reason says what to do', {
  skip,
}, async () => {
  await using fixture = await sandboxFixture();
  for (const workspace of ['/root', '/etc', '/usr/share', '/home', '/var/lib', '/tmp']) {
    const refused = await fixture.sandboxes.wrap(
      { ...fixture.setting(), workspace },
      { shellCommand: 'true', env: {}, pty: false },
    );
    assert.match(
      'problem' in refused ? refused.problem : '',
      /cannot be given away\. Choose another one \(agents\.defaults\.workspace\)/,
      workspace,
    );
    assert.equal((await stat(workspace)).uid, 0);
  }
});

const WORKS: readonly string[] = [
  'git init -q repo && cd repo && git config user.email a@b && git config user.name n && echo x > f && git add f && git commit -qm one && git log --oneline | grep -q one',
  'mkdir -p node_modules/a/lib node_modules/.bin && echo "echo ran" > node_modules/a/lib/run.sh && chmod +x node_modules/a/lib/run.sh && ln -s ../a/lib/run.sh node_modules/.bin/run && test "$(sh -c node_modules/.bin/run)" = ran',
  'mkdir x && mv x y && rmdir y',
  'umask 077 && echo s > private && test "$(stat -c %a private)" = 600',
  'cp -a readme copy && rm copy',
  'touch ~/x /tmp/x /dev/shm/x /var/tmp/x',
  'test "$(id -un)" = sandbox && test "$(whoami)" = sandbox',
  'cat ours/file | grep -q ours && echo more >> ours/file && rm ours/file && rmdir ours',
  'test -d /etc/ssl/certs || ! test -d /usr/share/ca-certificates',
  'perl -e "exit(getpwuid(\\$>) ? 0 : 1)"',
  'cd sub && pwd | grep -qx /workspace/sub',
  'echo to-terminal > /dev/stderr && echo out > /dev/stdout',
];

test("everyday work goes on, the gateway's own work in the same folder with it", { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  const { workspace } = fixture;
  await mkdir(join(workspace, 'sub'), { mode: 0o700 });
  for (const [at, line] of WORKS.entries()) {
    await mkdir(join(workspace, 'ours'), { mode: 0o700, recursive: true });
    await writeFile(join(workspace, 'ours/file'), 'ours', { mode: 0o600 });
    const run = await fixture.run(`cd /workspace; ( ${line}; ) && echo FINE > fine${at}`, {
      around: ['/bin/sh', '-c', 'exec "$@" >>"$0" 2>&1', join(fixture.home, 'output')],
    });
    assert.equal(
      await readFile(join(workspace, `fine${at}`), 'utf8').catch(() => readFile(join(fixture.home, 'output'), 'utf8')),
      'FINE\n',
      `${line} ${run.code}`,
    );
  }
  const path = join(workspace, 'sub/notes.md');
  await replaceFiles([{ path, data: Buffer.from('gateway\n'), before: undefined }]);
  await fixture.run('echo box >> /workspace/sub/notes.md');
  await replaceFiles([
    { path, data: Buffer.concat([await readFile(path), Buffer.from('gateway\n')]), before: await statIfExists(path) },
  ]);
  await fixture.run('sed -i "\\$a box" /workspace/sub/notes.md; chmod 600 /workspace/sub/notes.md');
  assert.equal(await readFile(path, 'utf8'), 'gateway\nbox\ngateway\nbox\n');
  assert.match(
    (
      await fixture.run('cat /workspace/sub/notes.md && echo x >> /workspace/readme || echo HELD', {
        sandbox: { workspaceAccess: 'ro' },
      })
    ).output,
    /gateway\nbox\n.*HELD/s,
  );
  t.diagnostic(`host user: ${WORKS.length + 2}/${WORKS.length + 2} neighbours work`);
});

test("output by name and a terminal work in a box of the gateway's own processes", { skip }, async () => {
  await using fixture = await sandboxFixture();
  await using real = await realShell();
  const shell = real.shellOf('main', { sandbox: fixture.setting() });
  const run = async (command: string, pty: boolean): Promise<string> => {
    const came = await shell.run({ command, pty }, { signal: new AbortController().signal, progress: () => undefined });
    return came.kind === 'ended' ? came.output : JSON.stringify(came);
  };
  assert.match(
    await run('echo one >> /dev/stderr; echo two >> /dev/stdout; echo three >&2', false),
    /^one\ntwo\nthree\n?$/,
  );
  assert.match(
    await run('test -t 0 && test -t 1 && tty -s && echo one > /dev/tty && echo two > /dev/stderr && stty size', true),
    /one\s+two\s+30 120/,
  );
  assert.equal((await stat('/dev/null')).uid, 0);
});

async function below(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true }))
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith('/link') && !path.includes('/link/'));
}
