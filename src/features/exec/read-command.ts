/** What a command line would start, and everything that must stay unchanged until it does. */
import type { Analysis } from './analysis/analysis.ts';
import type { BoundFacts } from './approvals/bind.ts';
import { scriptsOf } from './approvals/script-files.ts';
import type { ShellPlace } from './shell-place.ts';
import { plainShell } from './shell-program.ts';

export interface ProcessScanner {
  readonly cwd: string;
  /** The whole environment it will have. */
  readonly env: Readonly<Record<string, string>>;
  /** The person's own, absolute. */
  readonly shell: string;
  readonly place: Pick<ShellPlace, 'workspace' | 'readableRoots' | 'deniedPaths' | 'settings'>;
  /** A proven command is run as its plan: every word quoted, every program by its own path. */
  readonly usesPlan: boolean;
}

export interface ReadCommand {
  readonly analysis: Analysis;
  readonly argv: readonly [string, ...string[]];
  readonly facts: BoundFacts;
}

export async function readCommand(
  command: string,
  { cwd, env, shell, place, usesPlan }: ProcessScanner,
): Promise<ReadCommand> {
  const [{ analyse }, { createMachineContext: createContext }] = await Promise.all([
    import('./analysis/analyse.ts'),
    import('./analysis/machine-context.ts'),
  ]);
  const readableRoots = [place.workspace, ...place.readableRoots];
  const analysis = await analyse(
    command,
    createContext({ cwd, env, readableRoots, closedPaths: place.deniedPaths, safeBins: place.settings.safeBins }),
  );
  const argv: ReadCommand['argv'] =
    analysis.proven && usesPlan ? [await plainShell(shell, env), '-c', analysis.plan] : [shell, '-c', command];
  return {
    analysis,
    argv,
    facts: { command, argv, cwd, env, programs: [argv[0], ...programsOf(analysis)], scripts: scriptsOf(analysis, cwd) },
  };
}

function programsOf(analysis: Analysis): readonly string[] {
  if (!analysis.proven) return analysis.steps.flatMap(({ path }) => path ?? []);
  return analysis.segments.flatMap(({ path, wrappers }) => [
    ...wrappers.map((wrapper) => wrapper.path),
    ...(path === undefined ? [] : [path]),
  ]);
}
