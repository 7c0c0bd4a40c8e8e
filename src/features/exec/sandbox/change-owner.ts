/**
 * Gives the workspace to the user of the sandbox if the gateway runs as root, because that user could not write there
 * otherwise.
 */
import type { BoxUser } from '../platform/box-user.ts';
import type { ExecRequest, ExecResult } from '../../../platform/exec.ts';

export interface ChangeOwner {
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below it, relative: what stays root's. */
  readonly hidden: readonly string[];
  readonly user: BoxUser;
}

/** Folders the machine itself rests on, and those everybody's folders lie in. */
const SYSTEM =
  /^\/(?:(?:bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr)(?:\/|$)|(?:home|media|mnt|opt|root|srv|tmp|var|var\/[^/]+)$)/;
/** A first time over a large tree; later ones find nothing to give. */
const MAX_MS = 60_000;

/**
 * Of what is there, everything that is root's and has one name; another user's stays theirs. `find` holds each folder
 * it is in, so that
 * nothing a box does meanwhile leads it out. What the file system does not let be given away stays, and is not the
 * box's to write.
 */
export async function changeOwner(
  { workspace, hidden, user }: ChangeOwner,
  exec: (request: ExecRequest) => Promise<ExecResult>,
): Promise<{ readonly problem: string } | undefined> {
  if (SYSTEM.test(workspace))
    return {
      problem:
        'The gateway runs as root, so the folder of a sandbox is given to a separate user; a folder the ' +
        'system needs cannot be given away. Choose another one (agents.defaults.workspace), or run ' +
        'the gateway as a separate user.',
    };
  const skipped = hidden.flatMap((path) => [
    '-path',
    `${workspace}/${path}`.replace(/[\\*?[]/g, '\\$&'),
    '-prune',
    '-o',
  ]);
  const args = [
    '-P',
    workspace,
    '-xdev',
    ...skipped,
    '-uid',
    '0',
    '(',
    '!',
    '-type',
    'f',
    '-o',
    '-links',
    '1',
    ')',
    '-execdir',
    'chown',
    '-h',
    `${user.uid}:${user.gid}`,
    '{}',
    '+',
  ];
  const done = await exec({
    command: 'find',
    args,
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    timeoutMs: MAX_MS,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  });
  if (done.kind === 'exited') return undefined;
  // What was given away by then stays given.
  return {
    problem:
      'The sandbox of this session cannot be created, so nothing was run: its folder could not be given to the ' +
      `user of the sandbox (${done.kind === 'not_started' ? done.reason : done.kind}). Try again; it continues where ` +
      'it stopped.',
  };
}
