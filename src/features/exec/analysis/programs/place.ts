/** The context of a command in the analysis: the machine, and the working folder. */
import type { AnalysisContext } from '../analysis.ts';

export interface Place {
  readonly context: AnalysisContext;
  /** Absolute; undefined: only running the commands before it would tell. */
  readonly cwd: string | undefined;
}

/** A path as the system would read it there, links and `..` left to it; undefined: not known. */
export function pathAt(path: string, { cwd }: Place): string | undefined {
  if (path.startsWith('/')) return path;
  return cwd === undefined || path === '' ? undefined : `${cwd}/${path}`;
}
