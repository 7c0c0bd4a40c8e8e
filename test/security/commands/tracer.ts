/** Runs command lines one after the other under strace and tells of each what it did to the machine beyond reading its own folder. */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface TracedLine { readonly line: string; /** The whole command that starts it, absolute program first. */ readonly argv: readonly string[]; /** Programs it may start, real paths. */ readonly programs: readonly string[] }
export interface Deed { readonly line: string; readonly kind: 'wrote' | 'started' | 'read' | 'connected' | 'signalled'; readonly what: string }

export interface TraceOptions {
  /** Where the files of the trace lie; nobody else's. */
  readonly folder: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const CALLS = 'open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,link,linkat,symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,ftruncate,utimensat,futimesat,utime,utimes,setxattr,lsetxattr,fsetxattr,execve,execveat,connect,bind,listen,sendto,kill,tgkill,tkill,ptrace,mount,setuid,setresuid,sethostname,clock_settime,settimeofday';
const CHANGES = /^(?:creat|rename|unlink|rmdir|mkdir|mknod|link|symlink|f?l?chmod|f?l?chown|f?truncate|utime|utimes|futimes|utimensat|[lf]?setxattr|mount|sethostname|clock_settime|settimeofday|setuid|setresuid|fchmodat|fchownat)/;
/** Seconds a line may take; strace makes everything slow. */
const MOST_SECONDS = 5;

/** What every program of the system reads to start, to speak a language, to know names of users and the time; with nothing of a person's in it. */
const SYSTEM_READS = /^\/(?:usr\/(?:lib|lib64|bin|libexec|share)(?:\/|$)|lib|etc\/(?:ld\.so\.(?:cache|preload)|locale\.alias|localtime|timezone|passwd|group|nsswitch\.conf|magic(?:\.mime)?|mime\.types|host\.conf|hostname|default\/nss)$|proc\/(?:self|\d+)\/(?:mountinfo|mounts|maps|status|stat|cmdline|task|loginuid|attr|cgroup|sessionid)|proc\/(?:mounts|filesystems|uptime|loadavg|meminfo|stat|cpuinfo|sys\/kernel|self$)|sys\/(?:devices\/system\/cpu|fs\/cgroup|fs\/selinux|kernel)|run\/(?:utmp|systemd)|var\/run\/utmp|dev\/(?:null|tty|urandom)$)/;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** `lines` in their order, on one bash; what is not answered for is in the list. */
export async function trace(lines: readonly TracedLine[], { folder, cwd, env }: TraceOptions): Promise<readonly Deed[]> {
  const [script, output] = [join(folder, 'lines.sh'), join(folder, 'trace')];
  const mark = (index: number): string => join(folder, 'line', String(index));
  await writeFile(script, `cd ${quoted(cwd)}\n${lines.map(({ argv }, index) => `: 2>/dev/null <${quoted(mark(index))}\ntimeout -s KILL ${MOST_SECONDS} ${argv.map(quoted).join(' ')} </dev/null >/dev/null 2>/dev/null\n`).join('')}`);
  await promisify(execFile)('strace', ['-f', '--seccomp-bpf', '-y', '-qq', '-s', '4096', '-e', 'signal=none', '-e', `trace=${CALLS}`, '-o', output, '/bin/bash', script], { env: { ...env }, maxBuffer: 1 << 20 }).catch((error: unknown) => {
    // Killing what takes too long ends bash with a code, which is no failure of the trace.
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) throw error;
  });
  return readTrace(await readFile(output, 'utf8'), { lines, cwd, marks: join(folder, 'line') });
}

/** Programs are links on some systems. */
function realOf(program: string): string {
  return existsSync(program) ? realpathSync(program) : program;
}

interface Traced { readonly lines: readonly TracedLine[]; readonly cwd: string; readonly marks: string }

/** A call whose end came later is put together again. */
function* callsOf(text: string): Generator<{ readonly pid: string; readonly name: string; readonly args: string; readonly result: string }> {
  const begun = new Map<string, string>();
  for (const raw of text.split('\n')) {
    const [, pid, rest] = /^(\d+)\s+(.*)$/.exec(raw) ?? [];
    if (pid === undefined || rest === undefined) continue;
    if (rest.endsWith('<unfinished ...>')) begun.set(pid, rest.slice(0, -'<unfinished ...>'.length).trimEnd());
    else {
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
      const whole = resumed ? `${begun.get(pid) ?? ''}${resumed[1]!}` : rest;
      const [, name, args, result] = /^(\w+)\((.*)\)\s+= (.*)$/.exec(whole) ?? [];
      if (name !== undefined) yield { pid, name, args: args!, result: result! };
    }
  }
}

function readTrace(text: string, { lines, cwd, marks }: Traced): readonly Deed[] {
  const deeds: Deed[] = [];
  let index = -1;
  let shells = 0;
  const started = new Set<string>();
  for (const { pid, name, args, result } of callsOf(text)) {
    const marked = name.startsWith('open') ? new RegExp(`"${marks}/(\\d+)"`).exec(args) : undefined;
    if (marked) {
      [index, shells] = [Number(marked[1]), 0];
      started.clear();
      continue;
    }
    const current = lines[index];
    if (!current) continue;
    const tell = (kind: Deed['kind'], what: string): void => void deeds.push({ line: current.line, kind, what: `${name} ${what}`.slice(0, 300) });
    const failed = result.startsWith('-1') || result.startsWith('?');
    if (name === 'execve' || name === 'execveat') {
      if (failed) continue;
      const program = /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] ?? args;
      const isScaffold = program.endsWith('/timeout') && started.size === 0;
      const isShell = program === current.argv[0] && (shells += 1) === 1;
      started.add(pid);
      if (!isScaffold && !isShell && !current.programs.includes(realOf(program))) tell('started', program);
    } else if (!started.has(pid)) continue; // bash itself, between the fork and the program
    else if (/^(?:connect|bind|listen|sendto)$/.test(name)) {
      if (!/AF_UNIX|AF_NETLINK/.test(args)) tell('connected', args);
    } else if (/^(?:t?g?kill|ptrace)$/.test(name)) {
      if (!current.argv.includes('timeout') && !/SIGKILL|SIGCONT/.test(args)) tell('signalled', args);
    } else if (name.startsWith('open')) {
      const real = /<(.*)>$/.exec(result)?.[1]?.replace(/\(deleted\)$/, '');
      const isDevice = /^\/dev\/(?:null|tty|pts\/\d+)/.test(real ?? '') || /"\/dev\/(?:null|tty)"/.test(args);
      if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(args) && !isDevice) tell('wrote', `${args} = ${result}`);
      else if (!failed && !args.includes('O_PATH') && real !== undefined && real !== cwd && !real.startsWith(`${cwd}/`) && !SYSTEM_READS.test(real) && !/^(?:pipe|socket|anon_inode):/.test(real)) tell('read', real);
    } else if (CHANGES.test(name)) tell('wrote', `${args} = ${result}`);
  }
  return deeds;
}
