/** A machine for the tests of the analysis: a few programs, a few files, links that lead out; the same everywhere. */
import type { AnalysisContext } from './analysis.ts';

export const HOME = '/home/ada/clawd';

/** In `/usr/bin`, belonging to the system. */
const PROGRAMS =
  `ls cat head tail wc stat file du df find grep sort uniq cut tr jq sed date whoami id uname hostname sleep basename dirname realpath readlink sha256sum md5sum diff cmp which nproc seq nl tac uptime groups
  true false echo printf test [ pwd env nice nohup timeout time stdbuf setsid ionice chrt taskset flock bash dash zsh node perl ruby php make cmake npx git tar rm cp mv mkdir touch ln chmod tee dd kill xargs parallel watch script expect gdb vim less man ssh scp rsync
  curl wget docker sudo su install split zip openssl gpg tcpdump rg fd ffmpeg python3.11 mawk xz printenv ps which.debianutils systemctl crontab tmux psql go socat strace ip systemd-cat ccache eslint proxychains4`.split(
    /\s+/,
  );

/** What a name or path is a link to. */
const LINKS: Readonly<Record<string, string>> = {
  '/bin': '/usr/bin',
  '/usr/bin/sh': '/usr/bin/dash',
  '/usr/bin/python3': '/usr/bin/python3.11',
  '/usr/bin/awk': '/usr/bin/mawk',
  '/usr/bin/xzcat': '/usr/bin/xz',
  '/usr/bin/npm': '/usr/lib/node_modules/npm/bin/npm-cli.js',
  '/usr/bin/vi': '/usr/bin/vim.basic',
  '/home/ada/.cargo/bin/cargo': '/home/ada/.cargo/bin/rustup',
  '/home/ada/clawd/tool': '/usr/bin/bash',
  '/home/ada/clawd/mynice': '/usr/bin/nice',
  '/home/ada/clawd/myrm': '/usr/bin/rm',
  '/home/ada/clawd/link': '/etc',
  '/home/ada/clawd/inner': '/home/ada/clawd/src',
  '/home/ada/clawd/nowhere': '/gone/away',
};
const EXECUTABLE = new Set([
  ...PROGRAMS.map((name) => `/usr/bin/${name}`),
  '/usr/lib/node_modules/npm/bin/npm-cli.js',
  '/usr/bin/vim.basic',
  '/home/ada/.cargo/bin/rustup',
  '/home/ada/clawd/run.sh',
  '/home/ada/clawd/src/build',
  '/opt/tools/rg2',
  '/usr/lib64/ld-linux-x86-64.so.2',
]);
const FILES = new Set([
  ...EXECUTABLE,
  '/etc/passwd',
  '/home/ada/.ssh/id_ed25519',
  `${HOME}/notes.txt`,
  `${HOME}/data.json`,
  `${HOME}/src/a.ts`,
  `${HOME}/src/b.ts`,
  `${HOME}/a b.txt`,
  `${HOME}/Käse.txt`,
]);
const FOLDERS = new Set([
  '/',
  '/etc',
  '/home',
  '/home/ada',
  '/home/ada/.ssh',
  HOME,
  `${HOME}/src`,
  '/tmp',
  '/usr',
  '/usr/bin',
  '/usr/lib64',
  '/opt',
  '/opt/tools',
  '/usr/lib/node_modules/npm/bin',
  '/home/ada/.cargo/bin',
]);
const OTHERS = new Set([`${HOME}/pipe`, '/dev/null', '/dev/zero']);
const PATH = ['/home/ada/.cargo/bin', '/opt/tools', '/usr/bin'];

export function fakeContext(
  changes: Partial<Pick<AnalysisContext, 'cwd' | 'safeBins' | 'trusted' | 'readableRoots' | 'closedPaths'>> = {},
): AnalysisContext {
  const cwd = changes.cwd ?? HOME;
  const find = (name: string): string | undefined => {
    const candidates = name.includes('/')
      ? [name.startsWith('/') ? name : `${cwd}/${name}`]
      : PATH.map((folder) => `${folder}/${name}`);
    return candidates.find((path) => EXECUTABLE.has(follow(path)));
  };
  return {
    cwd,
    readableRoots: [HOME],
    closedPaths: [`${HOME}/state`],
    home: '/home/ada',
    safeBins: ['jq', 'grep', 'cut', 'sort', 'uniq', 'head', 'tail', 'tr', 'wc'],
    find: (name) => Promise.resolve(find(name)),
    locate: (name) => Promise.resolve(find(name)).then((path) => (path === undefined ? undefined : follow(path))),
    trusted: (path) => Promise.resolve(path.startsWith('/usr/')),
    entries: () => Promise.resolve(undefined),
    text: () => Promise.resolve(undefined),
    inspect: (path) => Promise.resolve(inspectPath(follow(path.startsWith('/') ? path : `${cwd}/${path}`))),
    ...changes,
  };
}

function inspectPath(real: string): Awaited<ReturnType<AnalysisContext['inspect']>> {
  if (FILES.has(real)) return { real, kind: 'file' };
  if (FOLDERS.has(real)) return { real, kind: 'directory' };
  return OTHERS.has(real) ? { real, kind: 'other' } : undefined;
}

/** As the system does: a link first, then the `..` behind it. */
function follow(path: string): string {
  let real = '';
  for (const part of path.split('/').filter((each) => each !== '' && each !== '.')) {
    const next = part === '..' ? real.replace(/\/[^/]*$/, '') : `${real}/${part}`;
    const target = LINKS[next];
    real = target === undefined ? next : follow(target);
  }
  return real === '' ? '/' : real;
}
