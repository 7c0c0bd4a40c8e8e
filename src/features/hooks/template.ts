/** Templates of mapped hooks: `{{payload.a.b[0]}}`, `{{headers.x}}`, `{{query.x}}`, `{{path}}`, `{{now}}`. Pure. */
import { cut } from '../../core/cut.ts';

/** What a template may speak of. Only own properties are ever looked at. */
export interface HookFacts {
  readonly payload: unknown;
  /** Without those that carry secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** What follows the base path. */
  readonly path: string;
  /** ISO 8601, UTC. */
  readonly now: string;
}

const MAX_A_VALUE = 20_000;
const MAX_ALTOGETHER = 100_000;
const MAX_STEPS = 32;

const PLACEHOLDER = /\{\{([^{}]{1,200})\}\}/g;
const STEP = /^(?:\.?([^.[\]\s]{1,100})|\[(\d{1,6})\])/;

export const holdsPlaceholder = (text: string): boolean => text.search(PLACEHOLDER) >= 0;

/** Missing values become nothing, objects JSON. `each` sees every value before it is set in. */
export function fill(template: string, facts: HookFacts, each: (text: string) => string = (text) => text): string {
  let left = MAX_ALTOGETHER;
  return template.replace(PLACEHOLDER, (_, expression: string) => {
    if (left <= 0) return '';
    const value = cut(each(cut(shown(find(expression.trim(), facts)), MAX_A_VALUE)), left);
    left -= value.length;
    return value;
  });
}

export interface Parted {
  /** The owner's own words before the first line and behind the last one that says something of the payload. */
  readonly before: string;
  readonly outside: string;
  readonly after: string;
}

/**
 * Tells the owner's words from the payload's, line by line: what stands in a line with a placeholder counts as from
 * outside.
 */
export function fillApart(template: string, facts: HookFacts): Parted {
  const lines = template.split('\n');
  const first = lines.findIndex(holdsPlaceholder);
  if (first < 0) return { before: template.trim(), outside: '', after: '' };
  const last = lines.findLastIndex(holdsPlaceholder);
  const text = (from: number, to: number): string => lines.slice(from, to).join('\n');
  return {
    before: text(0, first).trim(),
    outside: fill(text(first, last + 1), facts).trim(),
    after: text(last + 1, lines.length).trim(),
  };
}

const ROOTS: readonly (keyof HookFacts)[] = ['payload', 'headers', 'query', 'path', 'now'];

/** `messages[0].from` is short for `payload.messages[0].from`. */
function find(expression: string, facts: HookFacts): unknown {
  const steps = stepsOf(expression);
  if (!steps) return undefined;
  const root = ROOTS.find((name) => name === steps[0]);
  if (root === undefined) return steps.reduce(own, facts.payload);
  const rest = root === 'headers' ? steps.slice(1).map((step) => step.toLowerCase()) : steps.slice(1);
  return rest.reduce<unknown>(own, facts[root]);
}

/** Undefined for what is no path. */
function stepsOf(expression: string): readonly string[] | undefined {
  const steps: string[] = [];
  let rest = expression;
  while (rest !== '') {
    const found = STEP.exec(rest);
    if (!found || steps.length === MAX_STEPS || (steps.length === 0 && found[0].startsWith('.'))) return undefined;
    steps.push(found[1] ?? found[2]!);
    rest = rest.slice(found[0].length);
  }
  return steps.length === 0 ? undefined : steps;
}

function own(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && !/^\d+$/.test(step))) return undefined;
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Headers that prove who calls, or carry what does. */
const SECRET_HEADER = /auth|cookie|token|secret|passw|api-?key|signature|session/i;

/** The headers templates and transforms may see. */
export function shownHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return plainRecord(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADER.test(name)
        ? []
        : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')] as const],
    ),
  );
}

/** Of a parameter given twice the first counts. */
export const shownQuery = (query: string): Record<string, string> =>
  plainRecord([...new URLSearchParams(query)].toReversed());

/** Without a prototype: a name from outside is a name and nothing else. */
function plainRecord(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const record: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of entries) record[name] = value;
  return record;
}
