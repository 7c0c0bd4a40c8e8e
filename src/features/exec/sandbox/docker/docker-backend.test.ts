// Docker, played by a script that records its command lines and really runs what is executed in the container.
import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sandboxSchema } from '../../config.ts';
import { silentLog } from '../../../../core/log.ts';
import { exec } from '../../../../platform/exec.ts';
import { ownUser } from '../../../../platform/own-user.ts';
import { tempDir } from '../../../../testing/temp-dir.ts';
import { createSandboxes, type WrapRequest } from '../create-sandboxes.ts';
import { resolveSandbox } from '../resolve-sandbox.ts';

/**
 * One line per call, arguments between bars. `exec` sets the variables of `-e` and runs what follows the container's
 * name.
 */
const DOCKER = `#!/bin/bash
here=\${0%/*}
printf '%s|' "$@" >> "$here/calls"; echo >> "$here/calls"
[ -e "$here/down" ] && { echo "Cannot connect to the Docker daemon" >&2; exit 1; }
case $1 in
  info) cat "$here/info" 2>/dev/null || echo "24.0.5 [name=seccomp,profile=builtin]" ;;
  inspect) cat "$here/label-\${*: -1}" 2>/dev/null || { echo "No such object" >&2; exit 1; } ;;
  create) [ -e "$here/down-create" ] && { cat "$here/down-create" >&2; exit 1; }; name=$3; [ -e "$here/label-$name" ] && { echo "Conflict. The container name is already in use" >&2; exit 1; }; while [ "$1" != --label ]; do shift; done; echo "true \${2#*=}" > "$here/label-$name" ;;
  rm) rm -f "$here/label-$3" ;;
  kill) sed -i s/true/false/ "$here/label-$2" ;;
  start) sed -i s/false/true/ "$here/label-$2" ;;
  exec) shift; while :; do case $1 in -i|-t) shift ;; -w|--user) shift 2 ;; -e) case $2 in *=*) export "$2" ;; esac; shift 2 ;; *) break ;; esac; done; shift; [ "$*" = "\${*/failing/}" ] || exit 7; exec "$@" ;;
esac
`;

async function harness(sandbox: object = {}, { state = 'state' } = {}) {
  const dir = await tempDir('docker');
  const bin = join(dir.path, 'bin');
  await mkdir(join(dir.path, 'clawd/sub'), { recursive: true });
  await mkdir(bin);
  await writeFile(join(bin, 'docker'), DOCKER, { mode: 0o755 });
  const sandboxes = createSandboxes({
    vars: { PATH: `${bin}:/usr/bin:/bin`, DOCKER_HOST: 'unix:///x.sock', SECRET: 's' },
    log: silentLog,
    stateDir: join(dir.path, state),
  });
  const setting = (patch: object = {}) =>
    resolveSandbox({
      defaults: sandboxSchema.parse({
        mode: 'all',
        backend: 'docker',
        workspaceAccess: 'rw',
        limits: { memoryMb: 100, processes: 50, diskMb: 20 },
        ...sandbox,
        ...patch,
      }),
      agentId: 'main',
      sessionKey: 'agent:main:main',
      mainKey: 'm',
      agentWorkspace: join(dir.path, 'clawd'),
      stateDir: join(dir.path, state),
    })!;
  const wrap = (request: Partial<WrapRequest>, patch: object = {}) =>
    sandboxes.wrap(setting(patch), { shellCommand: 'true', env: {}, pty: false, ...request });
  return {
    bin,
    wrap,
    setting,
    async run(request: Partial<WrapRequest>) {
      const wrapped = await wrap(request);
      if ('problem' in wrapped) throw new Error(wrapped.problem);
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
      return { ...wrapped, output: ran.stdout.toString() };
    },
    calls: async (): Promise<readonly string[]> =>
      (await readFile(join(bin, 'calls'), 'utf8')).split('\n').filter(Boolean),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

describe('docker', () => {
  it('makes one container with nothing but its workspace, and reuses it', async () => {
    await using docker = await harness();
    await Promise.all([docker.wrap({}), docker.wrap({})]);
    await docker.wrap({});
    const created = (await docker.calls()).filter((call) => call.startsWith('create|'));
    assert.equal(created.length, 1);
    for (const part of [
      '--network|none|',
      '--memory|100m|--memory-swap|100m|--pids-limit|50|',
      '--cap-drop|ALL|--security-opt|no-new-privileges|',
      '--read-only|',
      `--mount|type=bind,source=${docker.setting().workspace},target=/workspace|`,
      '|debian:bookworm-slim|sleep|infinity|',
    ])
      assert.ok(created[0]!.includes(part), `${part} in ${created[0]}`);
    assert.doesNotMatch(created[0]!, /docker\.sock|--privileged|SECRET/);
    await docker.wrap({}, { network: true, workspaceAccess: 'ro' });
    const replaced = (await docker.calls()).filter((call) => /^(rm|create)\|/.test(call)).slice(1);
    assert.match(replaced[0]!, /^rm\|--force\|/);
    assert.match(replaced[1]!, /--network\|bridge\|.*target=\/workspace,readonly\|/);
  });

  it(
    'hides the state directory where the workspace lies around it, and takes neither that folder nor the whole ' +
      'disk for a workspace',
    async () => {
      await using docker = await harness({}, { state: 'clawd/a,b' });
      await mkdir(join(docker.setting().workspace, 'a,b'));
      await docker.wrap({ readOnly: [join(docker.setting().workspace, 'a,b/skills')] });
      const [created = ''] = (await docker.calls()).filter((call) => call.startsWith('create|'));
      assert.ok(
        created.includes('|--mount|type=tmpfs,"target=/workspace/a,b",tmpfs-size=1048576,tmpfs-mode=0500,readonly|'),
        created,
      );
      assert.doesNotMatch(created, /skills|-sealed/, 'nothing is shown of what is hidden');
      await using same = await harness({}, { state: 'clawd' });
      const refused = await same.wrap({});
      assert.match('problem' in refused ? refused.problem : '', /The workspace is the state directory itself/);
      assert.ok(!(await same.calls()).some((call) => call.startsWith('create|')));
    },
  );

  it('T15 a PATH is a value of the environment, and never in the text of the shell or among arguments', async () => {
    await using docker = await harness();
    const env = {
      PATH: '$(touch pwned)',
      TOKEN: `PRIVATE "'$(id)\n`,
      LD_PRELOAD: '/nonexistent.so',
      DOCKER_HOST: 'tcp://elsewhere',
    };
    const {
      argv,
      output,
      env: around,
    } = await docker.run({ shellCommand: 'printf "%s|" "$PATH" "$TOKEN" "$DOCKER_HOST" "$SANDBOXED_TOKEN"', env });
    assert.equal(argv[argv.indexOf('SANDBOXED_PATH') - 1], '-e');
    assert.doesNotMatch(argv.join(' '), /touch pwned|PRIVATE|elsewhere|nonexistent/);
    assert.match(output, /^\$\(touch pwned\):/);
    assert.ok(output.endsWith(`|${env.TOKEN}|${env.DOCKER_HOST}||`), output);
    assert.deepEqual(
      [around['DOCKER_HOST'], around['LD_PRELOAD'], around['TOKEN']],
      ['unix:///x.sock', undefined, undefined],
    );
    assert.equal(argv.slice(-3, -1).join(' '), 'sh -lc');
  });

  it('T16 without variables the command is passed untouched; folder and terminal are options', async () => {
    await using docker = await harness();
    const plain = await docker.wrap({ shellCommand: 'echo hi', workdir: 'sub' });
    assert.ok(!('problem' in plain));
    assert.deepEqual(
      [plain.argv.slice(1, 5), plain.argv.slice(-3)],
      [
        ['exec', '-i', '-w', '/workspace/sub'],
        ['sh', '-lc', 'echo hi'],
      ],
    );
    const terminal = await docker.wrap({ pty: true });
    assert.ok(!('problem' in terminal));
    assert.equal(terminal.argv[3], '-t');
    assert.deepEqual(Object.keys(plain.env).sort(), ['DOCKER_HOST', 'PATH']);
  });

  it('ends what a command left running in the container', async () => {
    await using docker = await harness();
    const { output } = await docker.run({ shellCommand: 'sleep 600 >/dev/null 2>&1 & echo $!' });
    await assert.rejects(readFile(`/proc/${Number(output)}/stat`), { code: 'ENOENT' }).catch(async (error: unknown) => {
      // Killed already, but not yet buried.
      if (!/\) Z /.test(await readFile(`/proc/${Number(output)}/stat`, 'utf8'))) throw error;
    });
  });

  it('sets a new container up once, and forgets one that failed', async () => {
    await using docker = await harness({ docker: { setupCommand: 'echo set up' } });
    await docker.wrap({});
    await docker.wrap({});
    const calls = await docker.calls();
    assert.equal(calls.filter((call) => call.includes('|sh|-lc|echo set up|')).length, 1);
    assert.ok(!calls.some((call) => call.includes('--read-only')));
    const failed = await docker.wrap({}, { docker: { setupCommand: 'failing' } });
    assert.match('problem' in failed ? failed.problem : '', /could not be set up/);
    assert.match((await docker.calls()).at(-1)!, /^rm\|--force\|/);
  });

  it('says so when the engine does not answer, and tries again the next time', async () => {
    await using docker = await harness();
    await writeFile(join(docker.bin, 'down'), '');
    const down = await docker.wrap({});
    assert.match(
      'problem' in down ? down.problem : '',
      /nothing was run\. The Docker engine does not respond \(Cannot connect to the Docker daemon\)/,
    );
    await rm(join(docker.bin, 'down'));
    assert.ok(!('problem' in (await docker.wrap({}))));
  });

  it(
    "is never root: the gateway's user, or one that is nobody's and is given the workspace; in an engine " +
      'without rights, the one it runs as',
    async () => {
      await using docker = await harness();
      await docker.wrap({});
      const own = ownUser()!;
      const user = own.uid === 0 ? '2100000000:2100000000' : `${own.uid}:${own.gid}`;
      const userOf = async (): Promise<string | undefined> =>
        /\|--user\|([^|]*)\|/.exec((await docker.calls()).findLast((call) => call.startsWith('create|'))!)?.[1];
      assert.equal(await userOf(), user);
      assert.equal((await stat(join(docker.setting().workspace, 'sub'))).uid, Number(user.split(':')[0]));
      await using rootless = await harness();
      await writeFile(join(rootless.bin, 'info'), '24.0.5 [name=seccomp,profile=builtin name=rootless]\n');
      await rootless.wrap({});
      assert.match((await rootless.calls()).find((call) => call.startsWith('create|'))!, /\|--user\|0:0\|/);
    },
  );

  it(
    'keeps those who may not change what every turn is told in a container of their own, which ends with its ' +
      'last command',
    async () => {
      await using docker = await harness();
      const path = join(docker.setting().workspace, 'AGENTS.md');
      const readOnly = [path, join(docker.setting().workspace, 'skills')];
      const calls = async (which: RegExp): Promise<readonly string[]> =>
        (await docker.calls()).filter((call) => which.test(call));
      const [first, second] = [await docker.wrap({ readOnly }), await docker.wrap({ readOnly })];
      await docker.wrap({});
      assert.ok(!('problem' in first) && !('problem' in second));
      const [held = '', free = ''] = await calls(/^create/);
      assert.match(
        held,
        /-sealed\|.*source=[^|]*AGENTS\.md,target=\/workspace\/AGENTS\.md,readonly\|.*target=\/workspace\/skills,readonly\|/,
      );
      assert.doesNotMatch(free, /-sealed\||AGENTS/);
      await first.onEnd?.();
      assert.equal((await calls(/^kill/)).length, 0);
      await second.onEnd?.();
      assert.match((await calls(/^kill/)).join(), /-sealed\|$/);
      const again = await docker.wrap({ readOnly });
      assert.ok(!('problem' in again) && (await calls(/^create/)).length === 2, 'started again, not made anew');
      await writeFile(`${path}.new`, 'changed by its owner');
      await rename(`${path}.new`, path);
      assert.match((await again.guard?.(1)) ?? '', /^\/workspace\/AGENTS\.md was replaced/);
      await docker.wrap({ readOnly });
      assert.equal((await calls(/^create/)).length, 3, 'its mount was of the file that was there');
    },
  );

  it('neither takes nor ends a container of somebody else, and two gateways on one engine have their own', async () => {
    await using docker = await harness();
    await docker.wrap({});
    const name = (await docker.calls()).find((call) => call.startsWith('create|'))!.split('|')[2]!;
    await writeFile(join(docker.bin, `label-${name}`), 'true \n');
    const refused = await docker.wrap({});
    assert.match('problem' in refused ? refused.problem : '', /could not be made .*Conflict/);
    assert.ok(!(await docker.calls()).some((call) => call.startsWith('rm|')));
    await using other = await harness();
    await other.wrap({});
    assert.notEqual((await other.calls()).find((call) => call.startsWith('create|'))!.split('|')[2], name);
  });

  it('names no folder of the machine when the engine refuses it', async () => {
    await using docker = await harness({ docker: { setupCommand: 'failing' } });
    const { workspace } = docker.setting();
    await writeFile(
      join(docker.bin, 'down-create'),
      `invalid mount config for type "bind": bind source path does not exist: ${workspace}/x and ` +
        `${join(workspace, '../state/f')}\n`,
    );
    const refused = await docker.wrap({});
    assert.match(
      'problem' in refused ? refused.problem : '',
      /does not exist: \/workspace\/x and the state directory\/f\.$/,
    );
  });
});
