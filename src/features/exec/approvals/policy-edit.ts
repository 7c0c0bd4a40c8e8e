/**
 * Changes of the approvals file: adding and using permissions, replacing the content; unknown fields are kept. Pure.
 */
import { present } from '../../../core/present.ts';
import { uuid } from '../../../platform/ids.ts';
import type { AllowEntry, NewAllowEntry } from './allowlist.ts';
import type { PolicyAgent, PolicyEntry, PolicyFile } from './policy-file.ts';

/** What `exec.approvals.get` shows; everything else stays in the file unseen. */
const SHOWN = {
  file: ['version', 'socket', 'defaults', 'agents'],
  levels: ['security', 'ask', 'askFallback', 'autoAllowSkills'],
  agent: ['security', 'ask', 'askFallback', 'autoAllowSkills', 'allowlist', 'mcpTools'],
  entry: ['id', 'pattern', 'source', 'commandText', 'argPattern', 'lastUsedAt', 'lastUsedCommand', 'lastResolvedPath'],
} as const;

/** Without the socket, which is a way in, and without what the protocol does not know. */
export function shownFile(file: PolicyFile): PolicyFile {
  const { version, defaults, agents } = file;
  return {
    version,
    ...(defaults ? { defaults: pick(defaults, SHOWN.levels) as PolicyFile['defaults'] } : {}),
    ...present({ agents: agents ? mapValues(agents, shownAgent) : undefined }),
  };
}

function shownAgent(agent: PolicyAgent): PolicyAgent {
  const { allowlist } = agent;
  return {
    ...pick(agent, SHOWN.agent),
    ...present({ allowlist: allowlist?.map((entry) => pick(entry, SHOWN.entry) as PolicyEntry) }),
  };
}

/** `sent` replaces what is shown of `kept`; the socket and what is unknown stay. */
export function replaced(kept: PolicyFile, sent: PolicyFile): PolicyFile {
  const { socket: _socket, ...known } = sent;
  const keptAgent = (id: string): PolicyAgent | undefined =>
    kept.agents && Object.hasOwn(kept.agents, id) ? kept.agents[id] : undefined;
  const agents = sent.agents && mapValues(sent.agents, (agent, id) => replacedAgent(keptAgent(id), agent));
  return {
    ...omit(kept, SHOWN.file),
    ...known,
    ...present({
      socket: kept.socket,
      defaults: sent.defaults ? { ...omit(kept.defaults ?? {}, SHOWN.levels), ...sent.defaults } : undefined,
      agents,
    }),
  };
}

function replacedAgent(kept: PolicyAgent | undefined, sent: PolicyAgent): PolicyAgent {
  const entries = sent.allowlist?.map((entry) => {
    const before = kept?.allowlist?.find((one) => isSame(one, entry));
    return { ...omit(before ?? {}, SHOWN.entry), ...entry, id: entry.id ?? before?.id ?? uuid() };
  });
  return { ...omit(kept ?? {}, SHOWN.agent), ...sent, ...present({ allowlist: entries }) };
}

/** The file with these permissions; those it has already are not added twice. */
export function remembered(file: PolicyFile, agentId: string, entries: readonly NewAllowEntry[]): PolicyFile {
  const agent = file.agents && Object.hasOwn(file.agents, agentId) ? file.agents[agentId]! : {};
  const has = agent.allowlist ?? [];
  const isNew = (entry: NewAllowEntry): boolean =>
    !has.some((one) => one.source === 'allow-always' && isSame(one, entry));
  const fresh = entries.filter(
    (entry, index) => isNew(entry) && entries.findIndex((one) => isSame(one, entry)) === index,
  );
  if (fresh.length === 0) return file;
  const allowlist = [...has, ...fresh.map((entry) => ({ id: uuid(), ...entry, source: 'allow-always' as const }))];
  return { ...file, agents: { ...file.agents, [agentId]: { ...agent, allowlist } } };
}

export interface Use {
  readonly command: string;
  readonly at: number;
  readonly path?: string | undefined;
}

/** The file with a note on when these permissions were last used. */
export function usedNow(file: PolicyFile, entries: readonly AllowEntry[], { command, at, path }: Use): PolicyFile {
  const note = present({ lastUsedAt: at, lastUsedCommand: command, lastResolvedPath: path });
  const isUsed = (entry: PolicyEntry, agentId: string): boolean =>
    entries.some(
      (one) =>
        one.listedFor === agentId &&
        one.id === entry.id &&
        one.written === entry.pattern &&
        one.argPattern === entry.argPattern,
    );
  const noted = (agent: PolicyAgent, agentId: string): PolicyAgent => {
    const allowlist = agent.allowlist?.map((entry) => (isUsed(entry, agentId) ? { ...entry, ...note } : entry));
    return { ...agent, ...present({ allowlist }) };
  };
  return { ...file, agents: mapValues(file.agents ?? {}, noted) };
}

type Named = Pick<PolicyEntry, 'pattern' | 'argPattern'> & { readonly id?: string | undefined };
const isSame = (one: Named, other: Named): boolean =>
  (one.id !== undefined && one.id === other.id) ||
  (one.pattern === other.pattern && one.argPattern === other.argPattern);

const pick = (from: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
const omit = (from: object, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
const mapValues = <T>(from: Readonly<Record<string, T>>, change: (value: T, key: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
