/** Follows `$include`: other files become part of the configuration where they are named. */
import { dirname } from 'node:path';
import { expandPath } from '../platform/env.ts';
import { parseJson5 } from './json5.ts';
import { formatPath } from './paths.ts';
import { childOf, merge, plainValue, sourced, type Sourced } from './sourced.ts';
import type { Issue } from './store.ts';

/** Includes inside includes; one more is an error. */
const MAX_DEPTH = 10;
const DIRECTIVE = '$include';
/** A key that reaches into the machinery of the language instead of the data. */
const FORBIDDEN = new Set(['__proto__']);

/** The text of a file, undefined when it does not exist. Throws `AppError('storage')`. */
export type ReadText = (path: string) => Promise<string | undefined>;

export interface IncludeResult {
  readonly root: Sourced;
  /** Every file that was read or searched, the main file first. */
  readonly files: ReadonlyMap<string, string | undefined>;
  readonly issues: readonly Issue[];
}

interface Walk {
  readonly read: ReadText;
  readonly home: string;
  readonly files: Map<string, string | undefined>;
  readonly issues: Issue[];
}

/** Reads `path` and everything it includes. A missing first file is an empty configuration. */
export async function resolveIncludes(
  path: string,
  { read, home }: { read: ReadText; home: string },
): Promise<IncludeResult> {
  const walk: Walk = { read, home, files: new Map(), issues: [] };
  const root = await loadFile(walk, path, { chain: [], at: [] });
  const empty = sourced({}, { file: path, path: [] });
  if (root && root.kind !== 'object')
    walk.issues.push({ path: '', problem: `${path} holds no object`, fix: 'Put all settings inside { }.' });
  return { root: root?.kind === 'object' ? root : empty, files: walk.files, issues: walk.issues };
}

interface Place {
  /** The files that led here, outermost first. */
  readonly chain: readonly string[];
  /** The path in the whole configuration. */
  readonly at: readonly string[];
}

async function loadFile(walk: Walk, file: string, place: Place): Promise<Sourced | undefined> {
  const problem = (text: string, fix: string): undefined =>
    void walk.issues.push({ path: formatPath(place.at), problem: text, fix });
  if (place.chain.includes(file))
    return problem(
      `the files include each other: ${[...place.chain, file].join(' → ')}`,
      'Remove one of these $include lines.',
    );
  if (place.chain.length > MAX_DEPTH)
    return problem(
      `${file} is included more than ${MAX_DEPTH} levels deep`,
      'Include it from a file nearer to the top.',
    );
  let text: string | undefined;
  try {
    text = await walk.read(file);
  } catch (error) {
    walk.files.set(file, undefined);
    return problem(
      error instanceof Error ? error.message : String(error),
      'Make the file readable for the user the gateway runs as.',
    );
  }
  walk.files.set(file, text);
  if (text === undefined) {
    return place.chain.length === 0
      ? undefined
      : problem(`the included file ${file} does not exist`, 'Create it or remove the $include line.');
  }
  // A torn write leaves nothing; taking that for "all defaults" would switch everything off.
  if (text.trim() === '') return problem(`${file} is empty`, 'Write { } for a configuration without settings.');
  const parsed = parseJson5(text);
  if (!parsed.ok)
    return problem(
      `${file} is ${parsed.problem}`,
      'Correct the text there; JSON with comments, unquoted keys and trailing commas is fine.',
    );
  const chain = [...place.chain, file];
  return expand(walk, sourced(parsed.value, { file, path: [] }), { chain, at: place.at });
}

async function expand(walk: Walk, node: Sourced, place: Place): Promise<Sourced> {
  if (node.kind === 'leaf') return node;
  if (node.kind === 'array') {
    const items: Sourced[] = [];
    for (const [index, item] of node.items.entries())
      items.push(await expand(walk, item, { ...place, at: [...place.at, String(index)] }));
    return { ...node, items };
  }
  const children = new Map<string, Sourced>();
  for (const [key, child] of node.children) {
    const at = [...place.at, key];
    if (FORBIDDEN.has(key))
      walk.issues.push({
        path: formatPath(at),
        problem: `"${key}" is not a name a setting can have`,
        fix: 'Remove it.',
      });
    else if (key !== DIRECTIVE) children.set(key, await expand(walk, child, { ...place, at }));
  }
  const own: Sourced = { ...node, children };
  const directive = childOf(node, DIRECTIVE);
  return directive ? underlay(walk, own, { directive, place }) : own;
}

/** Puts what the directive names beneath the object's own keys. */
async function underlay(
  walk: Walk,
  own: Sourced & { kind: 'object' },
  { directive, place }: { directive: Sourced; place: Place },
): Promise<Sourced> {
  const value = plainValue(directive);
  const names = typeof value === 'string' ? [value] : value;
  const here = formatPath([...place.at, DIRECTIVE]);
  if (!Array.isArray(names) || !names.every((name): name is string => typeof name === 'string' && name !== '')) {
    walk.issues.push({
      path: here,
      problem: '$include must be a file name or a list of file names',
      fix: 'Write $include: "./more.json5" or $include: ["./a.json5", "./b.json5"].',
    });
    return own;
  }
  const base = dirname(place.chain.at(-1)!);
  let below: Sourced | undefined;
  for (const name of names) {
    const loaded = await loadFile(walk, expandPath(name, walk.home, base), place);
    if (loaded) below = below ? merge(below, loaded) : loaded;
  }
  if (!below) return own;
  // Nothing beside the directive: the included file is where further keys belong.
  if (own.children.size === 0) return { ...below, origins: [...below.origins, ...own.origins] };
  if (below.kind === 'object') return merge(below, own);
  walk.issues.push({
    path: here,
    problem: 'an included file that holds no object cannot stand beside other keys',
    fix: 'Move the keys into the file or include an object.',
  });
  return own;
}
