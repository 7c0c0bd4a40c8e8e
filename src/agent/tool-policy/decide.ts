/**
 * Decides which tools are available in a place, and why, by checking every tool in every stage. Pure, except for a
 * cache of parsed lists.
 */
import { nearest } from '../../config/suggest.ts';
import { readPattern, toolWords, unknownPatterns, type NamedTool } from '../../core/tool-pattern.ts';
import type { Stage, StageName, ToolList } from './stage.ts';

export interface StageDecision {
  readonly stage: StageName;
  readonly ok: boolean;
  /** What decided; absent where nothing is set. */
  readonly setting?: string;
  /** The entry that matched; for a tool that no entry allows, all entries. */
  readonly pattern?: string;
}

export interface PolicyEvaluator {
  /** In the order of the stages; the first that is not `ok` removed it. */
  evaluate(tool: NamedTool, stages: readonly Stage[]): readonly StageDecision[];
  /** Entries that name no tool there is, one sentence each. */
  strays(stages: readonly Stage[]): readonly string[];
}

/** What an allowed tool brings along: a patch can do no more than a command or a written file can. */
const BRINGS_ALONG: Readonly<Record<string, readonly string[]>> = { apply_patch: ['bash', 'write'] };

interface Stray {
  readonly name: string;
  readonly near: string | undefined;
}
interface ReadList {
  readonly hits: ReadonlyMap<string, string>;
  readonly strays: readonly Stray[];
}

/** `tools`: all there are. Lists of a frozen configuration are read once. */
export function createPolicyEvaluator(tools: readonly NamedTool[]): PolicyEvaluator {
  const known = new WeakMap<readonly string[], ReadList>();
  const absent = Object.values(BRINGS_ALONG)
    .flat()
    .filter((name) => !tools.some((tool) => tool.name === name));
  const subjects: readonly NamedTool[] = [...tools, ...absent.map((name) => ({ name }))];
  const words = toolWords(tools);
  const read = ({ patterns }: ToolList): ReadList => {
    const before = known.get(patterns);
    if (before) return before;
    const matchers = patterns.map((pattern) => ({ pattern, means: readPattern(pattern) }));
    const hits = subjects.flatMap((tool) => {
      const first = matchers.find(({ means }) => means(tool));
      return first ? [[tool.name, first.pattern] as const] : [];
    });
    const list = {
      hits: new Map(hits),
      strays: unknownPatterns(patterns, tools).map((name) => ({ name, near: nearest(name, words) })),
    };
    known.set(patterns, list);
    return list;
  };
  const hit = (
    lists: readonly ToolList[],
    names: readonly string[],
  ): { setting: string; pattern: string } | undefined => {
    for (const list of lists)
      for (const name of names) {
        const pattern = read(list).hits.get(name);
        if (pattern !== undefined) return { setting: list.setting, pattern };
      }
    return undefined;
  };
  const ask = ({ name }: NamedTool, { stage, allow, deny }: Stage): StageDecision => {
    const denied = hit(deny, [name]);
    if (denied) return { stage, ok: false, ...denied };
    if (!allow) return { stage, ok: true };
    const allowed = hit(allow, [name, ...(BRINGS_ALONG[name] ?? [])]);
    if (allowed) return { stage, ok: true, ...allowed };
    const all = new Set(allow.flatMap(({ patterns }) => patterns));
    return { stage, ok: false, setting: allow[0]!.setting, pattern: [...all].join(', ') };
  };
  const straysIn = ({ allow = [], deny }: Stage): string[] => {
    const nothing =
      allow.length > 0 &&
      allow.every((list) => list.patterns.length > 0 && read(list).strays.length === list.patterns.length);
    return [...allow, ...deny]
      .filter(({ builtIn }) => !builtIn)
      .flatMap((list) =>
        read(list).strays.map(({ name, near }) => {
          const closed = nothing && allow.includes(list) ? '; the list allows nothing' : '';
          return `${list.setting} names "${name}", which is not a tool${closed}.${near ? ` Did you mean "${near}"?` : ''}`;
        }),
      );
  };
  return {
    evaluate: (tool, stages) => stages.map((stage) => ask(tool, stage)),
    strays: (stages) => [...new Set(stages.flatMap(straysIn))],
  };
}
