/** Rewrites paths in errors to the paths inside the sandbox. */
import { AppError, asAppError } from '../../../core/errors.ts';
import { realPathIfExists } from '../../../platform/files.ts';
import { INSIDE } from './backend.ts';

export interface Outside {
  readonly workspace: string;
  readonly stateDir: string;
}

/** For sentences of backends, of Docker's client and of the file system. */
export async function shownInside(text: string, { workspace, stateDir }: Outside): Promise<string> {
  const real = async (path: string): Promise<readonly string[]> => [path, (await realPathIfExists(path)) ?? path];
  const [folders, states] = await Promise.all([real(workspace), real(stateDir)]);
  const names = [
    ...folders.map((path) => [path, INSIDE] as const),
    ...states.map((path) => [path, 'the state directory'] as const),
  ];
  // The whole file system is in every path. The longest first: one folder may lie in the other.
  return names
    .filter(([path]) => path.length > 1)
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((shown, [path, name]) => shown.replaceAll(path, name), text);
}

/** Runs `act`, whose problems and errors are told so. */
export async function tellingInside<T extends object>(
  outside: Outside,
  act: () => Promise<T | { readonly problem: string }>,
): Promise<T | { readonly problem: string }> {
  try {
    const done = await act();
    return 'problem' in done ? { problem: await shownInside(done.problem, outside) } : done;
  } catch (error) {
    const { code, message } = asAppError(error);
    throw new AppError(code, await shownInside(message, outside), { cause: error });
  }
}
