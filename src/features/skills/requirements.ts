/**
 * What a skill says it needs, in the `metadata` of its SKILL.md: programs, variables, a system, and how to add them.
 * Pure; what does not fit is passed over, for anybody may have written it.
 */
import { parseJson } from '../../core/parse-json.ts';

export interface Requirement {
  readonly kind: 'program' | 'one of' | 'variable' | 'system';
  /** Any of them will do. */
  readonly names: readonly string[];
  /** Commands that would add it. */
  readonly install: readonly string[];
}

/** As programs of the product family name the part of the metadata that is for them. */
const OWNERS = ['clawdbot', 'openclaw', 'moltbot'];
const MAX = 50;
/** A name of a program, a package or a variable: nothing that means something to a shell. */
const PLAIN = /^[A-Za-z0-9@][A-Za-z0-9@/._+:-]{0,199}$/;

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX) : []);
const names = (value: unknown): readonly string[] =>
  items(value).filter((one): one is string => typeof one === 'string' && PLAIN.test(one));

/** `markdown`: the whole SKILL.md. */
export function requirementsOf(markdown: string): readonly Requirement[] {
  const metadata = fields(metadataOf(markdown));
  const own = fields(OWNERS.map((name) => metadata[name]).find((found) => found !== undefined) ?? metadata);
  const needs = fields(own['requires']);
  const steps = items(own['install']).map(fields);
  const adding = (program: string): readonly string[] => [
    ...new Set(
      steps.flatMap((step) =>
        step['bins'] === undefined || names(step['bins']).includes(program) ? commandOf(step) : [],
      ),
    ),
  ];
  const anyOf = names(needs['anyBins']);
  return [
    ...names(needs['bins']).map((name) => ({ kind: 'program' as const, names: [name], install: adding(name) })),
    ...(anyOf.length > 0
      ? [{ kind: 'one of' as const, names: anyOf, install: [...new Set(anyOf.flatMap(adding))] }]
      : []),
    ...names(needs['env']).map((name) => ({ kind: 'variable' as const, names: [name], install: [] })),
    ...(names(own['os']).length > 0 ? [{ kind: 'system' as const, names: names(own['os']), install: [] }] : []),
  ];
}

/** Shown to be copied by a person, never run. */
function commandOf(step: Fields): readonly string[] {
  const name = ['formula', 'package', 'module'].map((key) => step[key]).find((one) => typeof one === 'string');
  if (typeof name !== 'string' || !PLAIN.test(name)) return [];
  const command = COMMANDS[String(step['kind'])];
  return command ? [`${command} ${name}`] : [];
}

const COMMANDS: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  brew: 'brew install',
  apt: 'sudo apt-get install',
  node: 'npm install --global',
  npm: 'npm install --global',
  go: 'go install',
  uv: 'uv tool install',
  pip: 'pip install',
  cargo: 'cargo install',
};

/** The value of `metadata`, as JSON on one line or on indented ones. */
function metadataOf(markdown: string): unknown {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/, 400);
  if (lines[0]?.trim() !== '---') return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === '---');
  const head = lines.slice(1, end < 0 ? 1 : end);
  const at = head.findIndex((line) => line.startsWith('metadata:'));
  if (at < 0) return undefined;
  const rest = head.slice(at + 1);
  const next = rest.findIndex((line) => line !== '' && !/^[\s}\]]/.test(line));
  const text = [head[at]!.slice('metadata:'.length), ...rest.slice(0, next < 0 ? rest.length : next)].join('\n').trim();
  // Trailing commas are usual there.
  return parseJson(text.replace(/,(?=\s*[}\]])/g, ''));
}
