// Docker arguments with hostile names: one mount of one folder, no option from a value, and unchanged names of folders
// around the state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxSchema } from '../../../src/features/exec/config.ts';
import { createArguments, execArguments } from '../../../src/features/exec/sandbox/docker/docker-arguments.ts';
import { CALL_PROFILE } from '../../../src/features/exec/sandbox/docker/system-calls.ts';
import { resolveSandbox } from '../../../src/features/exec/sandbox/resolve-sandbox.ts';
import type { SandboxSetting } from '../../../src/features/exec/sandbox/sandbox-setting.ts';

const setting = (sandbox: object = {}, sessionKey = 'agent:main:main'): SandboxSetting =>
  resolveSandbox({
    defaults: sandboxSchema.parse({ mode: 'all', backend: 'docker', workspaceAccess: 'rw', ...sandbox }),
    agentId: 'main',
    sessionKey,
    mainKey: 'm',
    agentWorkspace: '/srv/clawd',
    stateDir: '/srv/state',
  })!;
const create = (
  workspace: string,
  hidden: readonly string[] = [],
  sandbox: object = {},
  readOnly: readonly string[] = [],
): readonly string[] =>
  createArguments(setting(sandbox), {
    name: 'box',
    filter: '/srv/filter.json',
    user: '1000:1000',
    fingerprint: 'f',
    workspace,
    hidden,
    readOnly,
  });
const mountsOf = (args: readonly string[]): readonly string[] =>
  args.flatMap((word, at) => (args[at - 1] === '--mount' ? [word] : []));

/** As Docker's client reads the value: one line of CSV. */
function fields(line: string): readonly string[] {
  const found = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gy)];
  assert.equal(found.map(([whole]) => whole).join(''), line, `${JSON.stringify(line)} is one line of CSV`);
  return found.map(([, quoted, plain]) => (quoted === undefined ? plain! : quoted.replaceAll('""', '"')));
}

const HOSTILE = [
  '/srv/a,readonly',
  '/srv/a",source=/,"',
  '/srv/a\n--privileged',
  '/srv/a\r,source=/',
  '/srv/a b',
  "/srv/a'b$(id)",
  '/srv/"',
  '/srv/a,target=/etc',
];

test('a path is one source of one mount, whatever is in it', (t) => {
  for (const path of HOSTILE)
    assert.deepEqual(
      mountsOf(create(path)).map(fields),
      [['type=bind', `source=${path}`, 'target=/workspace']],
      JSON.stringify(path),
    );
  t.diagnostic(`files, docker: ${HOSTILE.length}/${HOSTILE.length} paths stay paths`);
});

test('an image is no option, and neither is a command, a variable or a session', () => {
  for (const image of ['--privileged', '-v/:/host', '--volume=/:/host', 'debian'])
    assert.deepEqual(create('/srv/a', [], { docker: { image } }).slice(-4), ['--', image, 'sleep', 'infinity']);
  const args = execArguments(
    {
      setting: setting({}, 'agent:main:--privileged $(id)'),
      shellCommand: '--privileged',
      env: { A: '--privileged' },
      cwd: '/workspace',
      pty: false,
    },
    'box',
    'mark',
  );
  assert.deepEqual(
    args.filter((word) => word.startsWith('--')),
    [],
  );
  assert.equal(
    args.at(-1),
    'export A="$SANDBOXED_A"; unset SANDBOXED_A; --privileged',
    'only as the text of the shell, without the value',
  );
  assert.ok(
    !execArguments(
      { setting: setting(), shellCommand: 'true', env: { PATH: '' }, cwd: '/workspace', pty: false },
      'box',
      'mark',
    )
      .join()
      .includes('PATH'),
  );
});

test('folders around what is hidden keep their names', () => {
  const mounts = mountsOf(create('/srv/a', ['.config/deep/state'])).map(fields);
  assert.deepEqual(
    mounts.map(([type, , target]) => `${type} ${target}`),
    [
      'type=bind target=/workspace',
      'type=bind target=/workspace/.config',
      'type=bind target=/workspace/.config/deep',
      'type=tmpfs tmpfs-size=1048576',
    ],
  );
  for (const mount of mountsOf(create('/srv/a', ['.config/state'], { workspaceAccess: 'ro' })))
    assert.ok(fields(mount).includes('readonly'), mount);
});

test('what every turn is told is mounted read only over itself, below folders that keep their names', () => {
  const mounts = mountsOf(create('/srv/a', [], {}, ['AGENTS.md', 'skills', 'b/AGENTS.md'])).map(fields);
  assert.deepEqual(
    mounts.map((mount) => [mount[2], mount.includes('readonly')]),
    [
      ['target=/workspace', false],
      ['target=/workspace/b', false],
      ['target=/workspace/AGENTS.md', true],
      ['target=/workspace/skills', true],
      ['target=/workspace/b/AGENTS.md', true],
    ],
  );
});

test('no setting mounts more, takes more rights, or gives the engine away', () => {
  const docker = {
    image: 'x',
    binds: ['/var/run/docker.sock:/var/run/docker.sock', '/:/host'],
    privileged: true,
    capAdd: ['ALL'],
    user: '0:0',
    network: 'host',
    seccompProfile: 'unconfined',
    apparmorProfile: 'unconfined',
    readOnlyRoot: false,
  };
  assert.deepEqual(
    create('/srv/a', [], { docker }),
    create('/srv/a', [], { docker: { image: 'x' } }).map((word) => word),
  );
  const args = create('/srv/a', [], { docker }).join(' ');
  assert.doesNotMatch(args, /docker\.sock|--privileged|\/host|network host|unconfined|cap-add|--device|--pid |--ipc /);
  for (const part of [
    '--network none',
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
    '--security-opt seccomp=/srv/filter.json',
    '--user 1000:1000',
    '--read-only',
    '--pids-limit',
    '--memory ',
  ])
    assert.ok(args.includes(part), part);
});

/** As libseccomp reads the profile: every condition of one rule, any of the rules. */
function answer(name: string, args: readonly number[] = []): number {
  const masked = (value: number, mask: number): boolean => Number(BigInt(value) & BigInt(mask)) === mask;
  const refused = CALL_PROFILE.syscalls.filter(
    (rule) =>
      rule.names.includes(name) &&
      (rule.args ?? []).every(
        ({ index, value, valueTwo }) => (assert.equal(value, valueTwo), masked(args[index] ?? 0, value)),
      ),
  );
  return refused[0]?.errnoRet ?? 0;
}

const AT = -100;
const REFUSED: readonly (readonly [name: string, ...args: number[]])[] = [
  ...[0o4755, 0o2755, 0o6777, 0o7777].flatMap(
    (mode) =>
      [
        ['chmod', 0, mode],
        ['fchmod', 3, mode],
        ['fchmodat', AT, 0, mode],
        ['fchmodat2', AT, 0, mode, 0],
        ['creat', 0, mode],
        ['open', 0, 0o101, mode],
        ['openat', AT, 0, 0o101, mode],
        ['openat', AT, 0, 0o20200002, mode],
        ['mknod', 0, 0o100000 | mode],
        ['mknodat', AT, 0, 0o100000 | mode],
      ] as const,
  ),
  ['mknod', 0, 0o20666],
  ['mknod', 0, 0o60666],
  ['mknodat', AT, 0, 0o20666],
  ['mknodat', AT, 0, 0o60666],
  ['clone', 0x10000011],
  ['unshare', 0],
  ['setns', 3, 0],
  ['mount'],
  ['pivot_root'],
  ['bpf'],
  ['keyctl'],
  ['add_key'],
  ['request_key'],
  ['userfaultfd'],
  ['perf_event_open'],
  ['kexec_load'],
  ['open_by_handle_at'],
  ['setxattr'],
  ['lsetxattr'],
  ['fsetxattr'],
  ['setxattrat'],
  ['openat2'],
  ['clone3'],
  ['io_uring_setup'],
  ['io_uring_enter'],
];
const ALLOWED: readonly (readonly [name: string, ...args: number[]])[] = [
  ['chmod', 0, 0o755],
  ['chmod', 0, 0o1777],
  ['fchmodat', AT, 0, 0o700],
  ['open', 0, 0o101, 0o644],
  ['open', 0, 0, 0o4755],
  ['openat', AT, 0, 0o101, 0o666],
  ['openat', AT, 0, 0, 0o6000],
  ['creat', 0, 0o644],
  ['mknod', 0, 0o10644],
  ['mknodat', AT, 0, 0o140644],
  ['mknod', 0, 0o100644],
  ['clone', 0x11],
  ['clone', 0x3d0f00],
  ['fork'],
  ['execve'],
  ['read'],
  ['write'],
  ['mkdir', 0, 0o755],
  ['rename'],
  ['link'],
  ['symlink'],
  ['ptrace'],
  ['socket'],
  ['chown'],
  ['getxattr'],
];

test('the filter refuses what the filter of bubblewrap refuses, and lets everyday calls through', (t) => {
  for (const [name, ...args] of REFUSED)
    assert.notEqual(answer(name, args), 0, `${name} ${args.map((arg) => arg.toString(8))}`);
  for (const [name, ...args] of ALLOWED)
    assert.equal(answer(name, args), 0, `${name} ${args.map((arg) => arg.toString(8))}`);
  for (const { args = [] } of CALL_PROFILE.syscalls)
    assert.equal(
      new Set(args.map(({ index }) => index)).size,
      args.length,
      'one condition for an argument: more would be rules of their own',
    );
  t.diagnostic(
    `files, docker: ${REFUSED.length}/${REFUSED.length} calls refused, ${ALLOWED.length}/${ALLOWED.length} go on`,
  );
});
