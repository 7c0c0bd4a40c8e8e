/**
 * Keeps prompt files unchanged while a command can write around them: each is mounted read-only over itself, and
 * created first if it is missing.
 */
import { basename, dirname, extname, join, relative } from 'node:path';
import { realPathIfExists } from '../../../platform/files.ts';
import { holdFolder } from '../../../platform/held-folder.ts';
import { makeFile, nameFacts, type NameFacts } from '../platform/name-facts.ts';
import { INSIDE } from './backend.ts';

export interface ReadOnlyRequest {
  /** Real path on this machine. */
  readonly workspace: string;
  /** Below it, relative: what nobody sees needs no holding. */
  readonly hidden: readonly string[];
  /** Absolute; those outside the workspace are not seen anyway. Names with an ending are files, the others folders. */
  readonly readOnly: readonly string[];
  /** What a file that has to be made says, by name; others are empty. */
  readonly firstWords: Readonly<Record<string, string>>;
}

export interface ReadOnlyMounts {
  /** Relative to the workspace; each is there. */
  readonly below: readonly string[];
  /** Changes with the files it was made for: mounts are of those very files. */
  readonly stamp: string;
  /**
   * A mount goes when somebody outside puts another file in its place. A sentence then: what writes there has to end.
   */
  broken(): Promise<string | undefined>;
}

/**
 * A name that is not there could be made by the command, so it is made before; one that leads elsewhere cannot be held,
 * so nothing runs. Throws `AppError`.
 */
export async function mountReadOnly({
  workspace,
  hidden,
  readOnly,
  firstWords,
}: ReadOnlyRequest): Promise<ReadOnlyMounts | { readonly problem: string }> {
  const paths = [...new Set((await Promise.all(readOnly.map((path) => pathBelow(workspace, path)))).flat())].filter(
    (path) => !hidden.some((folder) => `${path}/`.startsWith(`${folder}/`)),
  );
  const held = new Map<string, string>();
  for (const shownPath of paths) {
    const path = join(workspace, shownPath);
    const facts = (await nameFacts(path)) ?? (await made(path, firstWords));
    const why = facts ? whyNotHeld(facts) : 'changed in the meantime';
    if (why !== undefined)
      return {
        problem:
          `${INSIDE}/${shownPath} ${why}, so it cannot be kept as it is by a sandbox that writes around it, and ` +
          'nothing was run. Make it a file or folder of its own, or set sandbox.workspaceAccess to "ro" or ' +
          '"none".',
      };
    held.set(shownPath, facts!.id);
  }
  return {
    below: paths,
    stamp: [...held].map(([path, id]) => `${path} ${id}`).join('\n'),
    async broken() {
      const now = await Promise.all(
        [...held].map(async ([path, id]) => ((await nameFacts(join(workspace, path)))?.id === id ? [] : [path])),
      );
      const [replaced] = now.flat();
      return replaced === undefined
        ? undefined
        : `${INSIDE}/${replaced} was replaced while it ran; what every turn is told could not be kept from it ` +
            'any longer.';
    },
  };
}

async function pathBelow(workspace: string, path: string): Promise<readonly string[]> {
  const folder = await realPathIfExists(dirname(path));
  const inWorkspace = folder === undefined ? '..' : relative(workspace, join(folder, basename(path)));
  return inWorkspace === '' || inWorkspace === '..' || inWorkspace.startsWith('../') ? [] : [inWorkspace];
}

async function made(path: string, firstWords: ReadOnlyRequest['firstWords']): Promise<NameFacts | undefined> {
  if (extname(path) === '') await (await holdFolder(path, { shown: path }))[Symbol.asyncDispose]();
  else await makeFile(path, firstWords[basename(path)] ?? '');
  return nameFacts(path);
}

function whyNotHeld({ kind, names }: NameFacts): string | undefined {
  if (kind === 'link') return 'is a link';
  if (kind === 'other') return 'is neither a file nor a folder';
  return kind === 'file' && names > 1 ? 'has a hard link' : undefined;
}
