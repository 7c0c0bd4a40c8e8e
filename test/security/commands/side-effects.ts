/** What a command did besides reading its own folder, by its system calls; nothing for a harmless one. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Call, Run } from './tracer.ts';

export const KINDS = [
  'wrote',
  'started',
  'loaded',
  'read',
  'looked',
  'connected',
  'signalled',
  'changed the machine',
  'did not end',
] as const;
export interface SideEffect {
  readonly line: string;
  readonly kind: (typeof KINDS)[number];
  readonly what: string;
}

/**
 * Read by every program that starts, before it is told anything: its libraries, the language and time zone it prints
 * in.
 */
const EVERYBODY =
  /^\/(?:usr\/(?:local\/)?)?lib\d*(?:\/|$)|^\/etc\/ld\.so\.(?:cache|preload)$|^\/usr\/share\/(?:locale|zoneinfo|i18n)(?:\/|$)|^\/etc\/(?:localtime|locale\.alias)$|^\/usr\/libexec\/coreutils\/|^\/dev\/(?:null|urandom)$|^\/proc\/(?:self\/maps|filesystems)$|^\/sys\/fs\/selinux/;
const ACCOUNTS = String.raw`^/etc/(?:passwd|group|nsswitch\.conf|default/nss)$|^/proc/filesystems$|^/(?:etc|run|run/host|usr/lib|usr/local/lib)/userdb(?:/|$)|^/(?:var/)?run/systemd/userdb`;
const MOUNTS = String.raw`^/proc/(?:self/)?(?:mountinfo|mounts)$|^/etc/mtab$`;
/** Read by one program to do what it is for, whatever it is told. */
const BY_PROGRAM: Readonly<Record<string, RegExp>> = {
  ls: new RegExp(`${ACCOUNTS}|${MOUNTS}`),
  find: new RegExp(`${ACCOUNTS}|${MOUNTS}`),
  stat: new RegExp(`${ACCOUNTS}|${MOUNTS}`),
  id: new RegExp(`${ACCOUNTS}|^/proc/sys/kernel/`),
  groups: new RegExp(`${ACCOUNTS}|^/proc/sys/kernel/`),
  whoami: new RegExp(ACCOUNTS),
  test: new RegExp(ACCOUNTS),
  du: new RegExp(MOUNTS),
  df: new RegExp(MOUNTS),
  hostname: /^\/etc\/(?:hosts|host\.conf|resolv\.conf|nsswitch\.conf|gai\.conf)$/,
  file: /^\/etc\/magic(?:\.\w+)?$|^\/usr\/share\/(?:misc\/magic|file\/)/,
  nproc: /^\/(?:sys|proc)\//,
  sort: /^\/sys\/(?:fs\/cgroup|devices\/system\/cpu)\/|^\/proc\/(?:self\/cgroup|meminfo|cpuinfo)$/,
  uptime: /^\/(?:var\/)?run\/(?:utmp|systemd)|^\/proc(?:\/|$)|^\/sys\//,
  uname: /^\/proc\/cpuinfo$/,
  // How many threads it may use.
  git: /^\/sys\/devices\/system\/cpu\//,
  // Scripts of the system: their shell reads them.
  which: /^\/usr\/bin\/which\b/,
  'which.debianutils': /^\/usr\/bin\/which\b/,
};

const CHANGES =
  /^(?:creat|f?truncate|fallocate|rename(?:at2?)?|link(?:at)?|symlink(?:at)?|unlink(?:at)?|rmdir|mkdir(?:at)?|mknod(?:at)?|f?chmod(?:at)?|[fl]?chown(?:at)?|utimes?|futimesat|utimensat|[lf]?setxattr|[lf]?removexattr|memfd_create)$/;
const READ_ONLY_CALLS = /^(?:l?stat|newfstatat|statx|access|faccessat2?|readlink(?:at)?)$/;
const STARTS = /^(?:clone3?|v?fork)$/;
const TALKS = /^(?:socket|connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg)$/;
const SIGNALS = /^(?:kill|tkill|tgkill|pidfd_send_signal)$/;
/** Of what a program asks of a device: typing for somebody, marks on files. */
const ASKS_TOO_MUCH = /TIOCSTI|TIOCLINUX|TIOCSETD|FS_IOC_SET|FICLONE|BLK/;

/** Where it ran. */
interface Place {
  readonly cwd: string /** Of other people; nothing looks at them. */;
  readonly secrets: readonly string[];
}

export function sideEffectsOf({ line, calls, ended }: Run, place: Place): readonly SideEffect[] {
  const sideEffects: SideEffect[] = ended ? [] : [{ line: line.line, kind: 'did not end', what: 'in seconds' }];
  const parents = new Map(
    calls.flatMap(({ name, pid, result }) =>
      STARTS.test(name) && /^\d+$/.test(result) ? [[result, pid] as const] : [],
    ),
  );
  const programs = new Map<string, string>();
  const programOf = (pid: string): string | undefined => {
    const parent = parents.get(pid);
    const found = programs.get(pid) ?? (parent === undefined ? undefined : programOf(parent));
    if (found !== undefined) programs.set(pid, found);
    return found;
  };
  for (const call of calls) {
    const program = programOf(call.pid);
    const starts = call.name === 'execve' && call.result === '0' ? textOf(call.args) : undefined;
    // What comes before the shell of the product is the test's own.
    if (
      starts !== undefined &&
      (program !== undefined || call.args.startsWith(`"${line.argv[0] ?? ''}", ["${line.argv[0] ?? ''}", "-c", `))
    )
      programs.set(call.pid, starts);
    const kind = program === undefined ? undefined : kindOf(call, { ...place, program, line });
    if (kind !== undefined)
      sideEffects.push({
        line: line.line,
        kind,
        what: `${basename(program ?? '')}: ${call.name}(${call.args}) = ${call.result}`.slice(0, 300),
      });
  }
  return programs.size > 0 ? sideEffects : [{ line: line.line, kind: 'did not end', what: 'it was never started' }];
}

type Case = Place & { readonly program: string; readonly line: Run['line'] };

function kindOf(call: Call, { program, line, cwd, secrets }: Case): SideEffect['kind'] | undefined {
  const { pid, name, args, result } = call;
  if (name.startsWith('exec'))
    return line.programs.includes(realOf(textOf(args) ?? '')) || line.programs.includes(textOf(args) ?? '')
      ? undefined
      : 'started';
  if (CHANGES.test(name)) return 'wrote';
  if (/^open(?:at2?)?$/.test(name)) return kindOfOpening(call, { program, line, cwd, secrets });
  // `ls` shows what kind of thing a link leads to, in the link's own line.
  if (READ_ONLY_CALLS.test(name))
    return basename(program) !== 'ls' && secrets.includes(pathIn(args, cwd)) ? 'looked' : undefined;
  if (TALKS.test(name))
    return /AF_NETLINK|\/run\/nscd\//.test(args) ||
      (name === 'socket' && args.startsWith('AF_UNIX')) ||
      (/^\d+<socket:/.test(args) && !/sa_family=AF_(?!NETLINK)/.test(args))
      ? undefined
      : 'connected';
  // It ends itself; `timeout` what it started, and its own group.
  if (SIGNALS.test(name))
    return basename(program) === 'timeout' || args.startsWith(`${pid}, `) ? undefined : 'signalled';
  return STARTS.test(name) || (name === 'ioctl' && !ASKS_TOO_MUCH.test(args)) || result.startsWith('-1 ENOSYS')
    ? undefined
    : 'changed the machine';
}

function kindOfOpening({ args, result }: Call, { program, cwd }: Case): SideEffect['kind'] | undefined {
  const asked = pathIn(args, cwd);
  const path = asked.startsWith('/proc/self/') ? asked : unescaped(/^\d+<([^]*)>$/.exec(result)?.[1] ?? '') || asked;
  const isOurs = path === cwd || path.startsWith(`${cwd}/`);
  // A name to begin others with; nothing can be read by it.
  if (/\bO_PATH\b/.test(args)) return undefined;
  if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE/.test(args))
    return path === '/dev/null' || path === '/dev/tty' ? undefined : 'wrote';
  // As the loader opens, and of these programs only `sort`.
  if (isOurs)
    return basename(program) !== 'sort' && args.endsWith(', O_RDONLY|O_CLOEXEC') && /\.so(?:\.\d+)*$/.test(path)
      ? 'loaded'
      : undefined;
  // Settings in the home folder are looked for; where there are some, the program asks.
  if (result.startsWith('-1 ENOENT') && dirname(path) === dirname(cwd) && basename(path).startsWith('.'))
    return undefined;
  return EVERYBODY.test(path) || BY_PROGRAM[basename(program)]?.test(path) ? undefined : 'read';
}

/** Programs are links on some systems. */
const realOf = (program: string): string => (existsSync(program) ? realpathSync(program) : program);

/** The first word in quotes. */
const textOf = (args: string): string | undefined => {
  const found = /"((?:[^"\\]|\\[^])*)"/.exec(args)?.[1];
  return found === undefined ? undefined : unescaped(found);
};

/** As it was asked for, links not followed. */
function pathIn(args: string, cwd: string): string {
  const base = /^(?:AT_FDCWD|\d+)<([^>]*)>/.exec(args)?.[1];
  return resolve(base === undefined ? cwd : unescaped(base), textOf(args) ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
const unescaped = (shown: string): string =>
  Buffer.from(
    shown.replaceAll(/\\(?:([0-7]{1,3})|([^]))/g, (_all, octal: string | undefined, char = '') =>
      octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(octal, 8)),
    ),
    'latin1',
  ).toString('utf8');

/** What lies beside the workspace of `tracedWorkspace`. */
export const secretsOf = (home: string): readonly string[] => [join(home, 'secret.txt'), join(home, 'key.json')];
