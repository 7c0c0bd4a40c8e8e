/** Runs command lines one by one under strace, with the product's input and output, and returns their system calls. */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface TracedLine {
  readonly line: string /** The whole command that starts it, absolute program first. */;
  readonly argv: readonly string[] /** Programs it may start, real paths. */;
  readonly programs: readonly string[];
}

export interface TraceOptions {
  /** Where the files of the trace lie; nobody else's. */
  readonly folder: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One call to the system. `result`: `3</path>`, `-1 ENOENT (…)`. */
export interface Call {
  readonly pid: string;
  readonly name: string;
  readonly args: string;
  readonly result: string;
}
/** `ended` false: it had to be stopped. */
export interface Run {
  readonly line: TracedLine;
  readonly calls: readonly Call[];
  readonly ended: boolean;
}

const CALLS = [
  'execve',
  'execveat',
  'clone',
  'clone3',
  'fork',
  'vfork',
  'open',
  'openat',
  'openat2',
  'creat',
  'open_by_handle_at',
  'truncate',
  'ftruncate',
  'fallocate',
  'rename',
  'renameat',
  'renameat2',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'unlink',
  'unlinkat',
  'rmdir',
  'mkdir',
  'mkdirat',
  'mknod',
  'mknodat',
  'chmod',
  'fchmod',
  'fchmodat',
  'chown',
  'fchown',
  'lchown',
  'fchownat',
  'utime',
  'utimes',
  'futimesat',
  'utimensat',
  'setxattr',
  'lsetxattr',
  'fsetxattr',
  'removexattr',
  'lremovexattr',
  'fremovexattr',
  'memfd_create',
  'stat',
  'lstat',
  'newfstatat',
  'statx',
  'access',
  'faccessat',
  'faccessat2',
  'readlink',
  'readlinkat',
  'socket',
  'connect',
  'bind',
  'listen',
  'accept',
  'accept4',
  'sendto',
  'sendmsg',
  'sendmmsg',
  'kill',
  'tkill',
  'tgkill',
  'pidfd_send_signal',
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'mount',
  'umount2',
  'chroot',
  'pivot_root',
  'setns',
  'unshare',
  'bpf',
  'keyctl',
  'io_uring_setup',
  'setuid',
  'setgid',
  'setresuid',
  'setgroups',
  'capset',
  'settimeofday',
  'clock_settime',
  'adjtimex',
  'clock_adjtime',
  'sethostname',
  'setdomainname',
  'reboot',
  'swapon',
  'init_module',
  'finit_module',
  'quotactl',
  'ioctl',
]
  .map((name) => `?${name}`)
  .join(',');

/** Seconds a line may take; strace makes everything slow. */
const MAX_SECONDS = 4;
const KILLED = 137;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Why nothing can be traced here; false: it can. */
export async function whyNotTraced(strace: string | undefined): Promise<string | false> {
  if (strace === undefined) return 'strace not installed';
  const tried = await promisify(execFile)(strace, [
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    'trace=execve',
    '/bin/true',
  ]).then(
    () => false as const,
    (error: unknown) => error,
  );
  return tried === false
    ? false
    : `strace may not trace here: ${tried instanceof Error ? (tried.message.trim().split('\n').at(-1) ?? '') : ''}`;
}

/** `lines` in their order, on one shell. */
export async function trace(lines: readonly TracedLine[], { folder, cwd, env }: TraceOptions): Promise<readonly Run[]> {
  await mkdir(folder, { recursive: true });
  const [script, output] = [join(folder, 'lines.sh'), join(folder, 'trace')];
  // A flood ends where the product would drop the middle of it, at less.
  await writeFile(
    script,
    [`cd ${quoted(cwd)}`, 'ulimit -f 20000', ...lines.map((line, index) => oneOf(line, index, folder)), 'exit 0'].join(
      '\n',
    ),
  );
  await promisify(execFile)(
    'strace',
    [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-qq',
      '-s',
      '4096',
      '-e',
      'signal=none',
      '-e',
      `trace=${CALLS}`,
      '-o',
      output,
      '/bin/sh',
      script,
    ],
    { env: { ...env }, maxBuffer: 1 << 20 },
  );
  return readTrace(output, lines);
}

/**
 * Input comes from a pipe, both streams go into a file: programs ask what they are given, and do other things with
 * `/dev/null`. The name that is not there marks the end.
 */
const oneOf = ({ argv }: TracedLine, index: number, folder: string): string =>
  `: | /usr/bin/timeout -s KILL ${MAX_SECONDS} ${argv.map(quoted).join(' ')} >${quoted(join(folder, 'output'))} 2>&1\n[ -e /line-ended/${index}/$? ]`;

async function readTrace(file: string, lines: readonly TracedLine[]): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const begun = new Map<string, string>();
  let calls: Call[] = [];
  for await (const raw of createInterface({ input: createReadStream(file) })) {
    const call = readCall(raw, begun);
    const ended = /"\/line-ended\/(\d+)\/(\d+)"/.exec(call?.args ?? '');
    const line = lines[Number(ended?.[1])];
    if (ended && line) {
      runs.push({ line, calls, ended: Number(ended[2]) !== KILLED });
      calls = [];
    } else if (call) calls.push(call);
  }
  if (runs.length !== lines.length)
    throw new Error(`${lines.length} lines were run, and the trace tells of ${runs.length}`);
  return runs;
}

/** A call whose end came later is put together again. */
function readCall(raw: string, begun: Map<string, string>): Call | undefined {
  const [, pid = '', rest = ''] = /^(\d+)\s+([^]*)$/.exec(raw) ?? [];
  if (rest.endsWith('<unfinished ...>')) begun.set(pid, rest.slice(0, -'<unfinished ...>'.length).trimEnd());
  const resumed = /^<\.\.\. \w+ resumed>([^]*)$/.exec(rest)?.[1];
  const [, name, args = '', result = ''] =
    /^(\w+)\(([^]*)\)\s+= ([^]*)$/.exec(resumed === undefined ? rest : `${begun.get(pid) ?? ''}${resumed}`) ?? [];
  return name === undefined ? undefined : { pid, name, args, result };
}
