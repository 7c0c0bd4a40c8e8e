/**
 * Path patterns of the allowlist: `*` within a folder, `**` across folders, `?` one character, case-insensitive. Pure.
 */

/** Without a separator or `~` it would name a program wherever `PATH` finds one, so such a pattern means nothing. */
export const isPathPattern = (pattern: string): boolean => /[/\\~]/.test(pattern);

/** `~` becomes the home folder, and only at the beginning. */
export const expandPattern = (pattern: string, home: string): string =>
  /^~(?=[/\\]|$)/.test(pattern) ? home + pattern.slice(1) : pattern;

/**
 * Whether the pattern covers the whole path. `path` is absolute with links resolved; anything else is never covered.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (!isPathPattern(pattern) || !isAbsolute(path)) return false;
  return covers(tokens(slashes(pattern.trim()).toLowerCase()), slashesOfWindows(path).toLowerCase());
}

type Token = { readonly kind: 'char'; readonly char: string } | { readonly kind: 'one' | 'inside' | 'across' };

const tokens = (pattern: string): readonly Token[] =>
  (pattern.match(/\*{2,}|[^]/g) ?? []).map((piece) => {
    if (piece.length > 1) return { kind: 'across' };
    return piece === '*' ? { kind: 'inside' } : piece === '?' ? { kind: 'one' } : { kind: 'char', char: piece };
  });

/**
 * Keeps the set of positions the pattern can have reached: the work is pattern × path at most, whatever somebody
 * writes.
 */
function covers(pattern: readonly Token[], path: string): boolean {
  let reached = new Set([0]);
  for (const token of pattern) {
    reached = step(token, reached, path);
    if (reached.size === 0) return false;
  }
  return reached.has(path.length);
}

function step(token: Token, reached: ReadonlySet<number>, path: string): Set<number> {
  if (token.kind === 'char' || token.kind === 'one') {
    const fits = (at: number): boolean =>
      at < path.length && (token.kind === 'char' ? path[at] === token.char : path[at] !== '/');
    return new Set([...reached].filter(fits).map((at) => at + 1));
  }
  const next = new Set<number>();
  for (const from of reached)
    for (let at = from; !next.has(at); at += 1) {
      next.add(at);
      if (at >= path.length || (token.kind === 'inside' && path[at] === '/')) break;
    }
  return next;
}

const slashes = (text: string): string => text.replaceAll('\\', '/');
const ofWindows = (path: string): boolean => /^(?:[a-z]:[\\/]|\\\\)/i.test(path);
/** Elsewhere a backslash is a letter of a file name like any other. */
const slashesOfWindows = (path: string): string => (ofWindows(path) ? slashes(path) : path);
const isAbsolute = (path: string): boolean => path.startsWith('/') || ofWindows(path);
