/** Writes a proven command line with every word quoted, so that what runs is what was analyzed. */
import type { ResolvedPipeline } from './resolved.ts';

/**
 * Every word in single quotes, every program by an absolute path and with the variables its judgement rests on, the few
 * commands of the shell itself by their quoted name: nothing is
 * left for `PATH`, aliases, keywords, `IFS`, globbing or expansions to decide, in `sh`, dash and bash alike.
 * Whoever runs it owes it: a shell of that family with `-c`, neither as a login nor as an interactive one, the folder
 * and the environment that were
 * judged, and in that environment nothing that makes a shell run or import something first (`BASH_ENV`, `ENV`,
 * `BASH_FUNC_*`, `SHELLOPTS`, `PS4`, `ZDOTDIR`).
 */
export function writePlan(pipelines: readonly ResolvedPipeline[]): string {
  return pipelines
    .map(({ join, negated, commands }) => {
      const joint = join === '' ? '' : join === ';' ? '; ' : ` ${join} `;
      return `${joint}${negated ? '! ' : ''}${commands.map(({ runs, env = {}, redirects }) => [...Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`), ...runs.map(quote), ...redirects].join(' ')).join(' | ')}`;
    })
    .join('');
}

const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;
