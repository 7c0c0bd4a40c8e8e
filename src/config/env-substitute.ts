/** Replaces `${NAME}` in settings with the variable's value; the file itself is unchanged. */
import type { Env } from '../platform/env.ts';
import { formatPath, isPlainObject, type Path } from './paths.ts';
import type { Issue } from './store.ts';

/** `$${NAME}` stands for the literal `${NAME}`; anything not in upper case is left alone. */
export const REFERENCE = /(\$?)\$\{([A-Z_][A-Z0-9_]*)\}/g;

export interface Substituted {
  readonly value: unknown;
  readonly issues: readonly Issue[];
  /** Dotted path → the variables its text names. */
  readonly references: ReadonlyMap<string, readonly string[]>;
}

/**
 * Values of variables are not looked into again. A missing or empty variable is an issue and leaves the text as it was.
 */
export function substituteEnv(value: unknown, env: Env): Substituted {
  const issues: Issue[] = [];
  const references = new Map<string, readonly string[]>();
  const inText = (text: string, path: Path): string =>
    text.replace(REFERENCE, (whole, escape: string, name: string) => {
      if (escape) return whole.slice(1);
      const at = formatPath(path);
      references.set(at, [...(references.get(at) ?? []), name]);
      const found = env.get(name);
      if (found !== undefined) return found;
      issues.push({
        path: at,
        problem: `the environment variable ${name} is missing or empty`,
        fix: `Set ${name} where the gateway starts or under env.vars, or write $\${${name}} for the literal text.`,
      });
      return whole;
    });
  const walk = (node: unknown, path: Path): unknown => {
    if (typeof node === 'string') return node.includes('${') ? inText(node, path) : node;
    if (Array.isArray(node)) return node.map((item, index) => walk(item, [...path, String(index)]));
    if (isPlainObject(node))
      return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, walk(item, [...path, key])]));
    return node;
  };
  return { value: walk(value, []), issues, references };
}

/** True when the text takes at least one variable: then it is a reference and holds no secret itself. */
export function namesVariable(text: string): boolean {
  return [...text.matchAll(REFERENCE)].some(([, escape]) => escape === '');
}
