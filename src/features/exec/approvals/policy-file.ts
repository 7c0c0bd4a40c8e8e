/**
 * Parses the approvals file strictly, so that invalid content allows nothing, and computes the policy of an agent.
 * Pure.
 */
import { z } from 'zod';
import { ASK_MODES, SECURITY_LEVELS, type AskMode, type SecurityLevel } from '../../../core/command-levels.ts';
import { present } from '../../../core/present.ts';
import type { AllowEntry } from './allowlist.ts';
import { known } from './matrix.ts';
import { expandPattern } from './path-pattern.ts';

const entry = z.looseObject({
  id: z.string().min(1).optional(),
  pattern: z.string(),
  source: z.literal('allow-always').optional(),
  commandText: z.string().optional(),
  argPattern: z.string().optional(),
  lastUsedAt: z.number().min(0).optional(),
  lastUsedCommand: z.string().optional(),
  lastResolvedPath: z.string().optional(),
});

const levels = {
  security: z.string().optional(),
  ask: z.string().optional(),
  askFallback: z.string().optional(),
  autoAllowSkills: z.boolean().optional(),
};
const agent = z.looseObject({ ...levels, allowlist: z.array(entry).optional() });

/** What nobody knows is kept as it is. */
export const policyFileSchema = z.looseObject({
  version: z.literal(1),
  socket: z.looseObject({ path: z.string().optional(), token: z.string().optional() }).optional(),
  defaults: z.looseObject(levels).optional(),
  agents: z.record(z.string(), agent).optional(),
});

export type PolicyFile = z.output<typeof policyFileSchema>;
export type PolicyAgent = z.output<typeof agent>;
export type PolicyEntry = z.output<typeof entry>;

/** What the file says about commands of one agent. Absent: nothing. */
export interface AgentPolicy {
  readonly security?: SecurityLevel;
  readonly ask?: AskMode;
  readonly askFallback: SecurityLevel;
  readonly autoAllowSkills: boolean;
  readonly allowlist: readonly AllowEntry[];
  /** The file makes no sense, so nothing is allowed: what is wrong, and what to do. */
  readonly problem?: string;
}

export type ReadPolicy = { readonly file: PolicyFile } | { readonly problem: string };

const MAX_CHARS = 8 * 1024 * 1024;

/** `text` undefined: there is no file, which says nothing. */
export function readPolicy(text: string | undefined, path: string): ReadPolicy {
  if (text === undefined) return { file: { version: 1 } };
  const advice = 'No command runs until the file is fixed or removed.';
  if (text.length > MAX_CHARS)
    return { problem: `The approvals file ${path} is larger than ${MAX_CHARS} characters. ${advice}` };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `The approvals file ${path} is not JSON. ${advice}` };
    throw error;
  }
  const checked = policyFileSchema.safeParse(parsed);
  if (checked.success) return { file: checked.data };
  const at = checked.error.issues[0]?.path.map(String).join('.');
  return { problem: `The approvals file ${path} is invalid${at ? ` at ${at}` : ''}. ${advice}` };
}

/** Nothing runs. */
const closed = (problem: string): AgentPolicy => ({
  security: 'deny',
  ask: 'always',
  askFallback: 'deny',
  autoAllowSkills: false,
  allowlist: [],
  problem,
});

export function policyOf(read: ReadPolicy, agentId: string, home: string): AgentPolicy {
  if ('problem' in read) return closed(read.problem);
  const { file } = read;
  const [everybody, own] = [agentOf(file, '*'), agentOf(file, agentId)];
  const first = <K extends 'security' | 'ask' | 'askFallback' | 'autoAllowSkills'>(key: K) =>
    own?.[key] ?? everybody?.[key] ?? file.defaults?.[key];
  const [security, ask] = [first('security'), first('ask')];
  return {
    ...present({
      // A word nobody knows was meant to restrict, so it does.
      security: security !== undefined ? (known(SECURITY_LEVELS, security) ?? 'deny') : undefined,
      ask: ask !== undefined ? (known(ASK_MODES, ask) ?? 'always') : undefined,
    }),
    askFallback: known(SECURITY_LEVELS, first('askFallback')) ?? 'deny',
    autoAllowSkills: first('autoAllowSkills') ?? false,
    allowlist: [...entriesOf(everybody, '*', home), ...(agentId === '*' ? [] : entriesOf(own, agentId, home))],
  };
}

function entriesOf(agent: PolicyAgent | undefined, listedFor: string, home: string): readonly AllowEntry[] {
  return (agent?.allowlist ?? []).map(({ id, pattern, argPattern, source, lastUsedAt }) => ({
    id,
    argPattern,
    source,
    lastUsedAt,
    pattern: expandPattern(pattern, home),
    written: pattern,
    listedFor,
  }));
}

/**
 * Files of the product family may call the main agent `default`; what stands there is the main agent's unless it says
 * something itself.
 */
const MAIN_ELSEWHERE = 'default';
const MAIN = 'main';

export function agentOf(file: PolicyFile, agentId: string): PolicyAgent | undefined {
  const agents = file.agents ?? {};
  const own = Object.hasOwn(agents, agentId) ? agents[agentId] : undefined;
  const old = agentId === MAIN && Object.hasOwn(agents, MAIN_ELSEWHERE) ? agents[MAIN_ELSEWHERE] : undefined;
  if (!old) return own;
  return { ...old, ...own, allowlist: [...(old.allowlist ?? []), ...(own?.allowlist ?? [])] };
}

/** The same file with what stood under the old name under the new one. */
export function withMain(file: PolicyFile): PolicyFile {
  if (!file.agents || !Object.hasOwn(file.agents, MAIN_ELSEWHERE)) return file;
  const { [MAIN_ELSEWHERE]: _old, ...agents } = file.agents;
  return { ...file, agents: { ...agents, [MAIN]: agentOf(file, MAIN)! } };
}

/** Words of the file that mean nothing, each as `agents.main.security = "denny"`. */
export function oddWords(file: PolicyFile): readonly string[] {
  const words = { security: SECURITY_LEVELS, ask: ASK_MODES, askFallback: SECURITY_LEVELS } as const;
  const places = [
    ['defaults', file.defaults] as const,
    ...Object.entries(file.agents ?? {}).map(([id, one]) => [`agents.${id}`, one] as const),
  ];
  return places.flatMap(([place, levels]) =>
    (['security', 'ask', 'askFallback'] as const)
      .filter((key) => levels?.[key] !== undefined && known<string>(words[key], levels[key]) === undefined)
      .map((key) => `${place}.${key} = ${JSON.stringify(levels![key])}`),
  );
}
