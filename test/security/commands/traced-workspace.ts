/**
 * A workspace with traps next to a secret: links that lead outside, names that look like options, scripts and settings
 * that record when they run.
 */
import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TracedWorkspace {
  readonly home: string;
  readonly workspace: string;
}

export async function tracedWorkspace(folder: string): Promise<TracedWorkspace> {
  const home = join(folder, 'home');
  const workspace = join(home, 'work');
  const at = (...parts: readonly string[]): string => join(workspace, ...parts);
  await mkdir(at('src'), { recursive: true });
  await mkdir(at('.git', 'hooks'), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    'notes.txt': 'one\ntwo\nthree\n',
    'other.txt': 'one\n2\nthree\n',
    'table.csv': 'a,1\nb,2\n',
    'data.json': '{"name":"x","list":[1,2,3]}',
    'a b.txt': 'blank\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 2;\n',
    names0: '../secret.txt\0notes.txt\0',
    '-exec': 'x\n',
    '--help': 'x\n',
    '-rf': 'x\n',
    '-o': 'x\n',
    'evil.sh': '#!/bin/sh\necho EVIL > "$HOME/pwned"\n',
    'evil.sed': 'w pwned\n',
    'evil.awk': 'BEGIN{system("touch pwned")}\n',
    'evil.jq': 'input_filename',
    'evil.magic': '0 string x x\n',
    '.git/config': '[core]\n\tfsmonitor = ./evil.sh\n\tpager = ./evil.sh\n\thooksPath = .git/hooks\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/hooks/post-index-change': '#!/bin/sh\ntouch pwned\n',
    '.ripgreprc': '--pre=./evil.sh\n',
    '.bashrc': './evil.sh\n',
    '.profile': './evil.sh\n',
    'x.db': '',
    'evil.so': 'no library\n',
    'libc.so.6': 'no library\n',
    '+5f': 'plus\n',
    'Käse.txt': 'x\n',
    'magic.mgc': 'x',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  await writeFile(join(home, 'secret.txt'), 'SECRET\n', { mode: 0o600 });
  for (const path of ['evil.sh', '.git/hooks/post-index-change', '.git/HEAD']) await chmod(at(path), 0o755);
  await symlink('src', at('inner'));
  await symlink('/proc/self/cwd', at('here'));
  await symlink('..', at('link-out'));
  await symlink('../secret.txt', at('link-to-secret'));
  await link(at('notes.txt'), at('second-name.txt'));
  execFileSync('mkfifo', [at('pipe')]);
  return { home, workspace };
}
