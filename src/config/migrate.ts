/** Old names of settings become the present ones, in memory only; the file keeps what the person wrote. */
import { present } from '../core/present.ts';
import { DEFAULT_AGENT_ID } from '../core/product.ts';
import { formatPath, getAt, isPlainObject, type Path } from './paths.ts';
import type { Draft, JoinedRules } from './setting-rules.ts';
import type { Issue } from './store.ts';

/** One setting read from another place than its own. */
export interface Move {
  readonly from: Path;
  readonly to: Path;
}

export interface Migrated {
  readonly value: unknown;
  readonly moves: readonly Move[];
  readonly warnings: readonly Issue[];
}

type Rule = (draft: FileDraft) => void;
type Moved = Pick<JoinedRules, 'renamed' | 'migrations'>;

/** Channels that once stood at the root of the file. */
const ROOT_CHANNELS = ['telegram', 'whatsapp', 'discord', 'slack', 'signal', 'imessage', 'msteams', 'googlechat'];

/** Old place → present place. Earlier rows are moved before later ones that contain them. */
const RENAMES: readonly (readonly [from: string, to: string])[] = [
  ...ROOT_CHANNELS.map((id) => [id, `channels.${id}`] as const),
  ['routing.bindings', 'bindings'],
  ['routing.queue', 'messages.queue'],
  ['routing.groupChat', 'messages.groupChat'],
  ['routing.agentToAgent', 'tools.agentToAgent'],
  ['agent.tools', 'tools'],
  ['agent.sandbox.tools', 'tools.sandbox.tools'],
  ['agent.subagents.tools', 'tools.subagents.tools'],
  ['session.resetByType.direct', 'session.resetByType.dm'],
];

const rulesOf = ({ renamed, migrations }: Moved): readonly Rule[] => [
  ...[...RENAMES, ...renamed].map(rename),
  transcriptionCommand,
  vendorBlocks,
  modelNames,
  agentDefaults,
  agentEntries,
  ...migrations,
  rootIdentity,
  bindingNames,
  idleReset,
  secretReferences,
];

/** The value in present names; the input is not touched. Where both names are set the present one wins. */
export function migrate(value: unknown, moved: Moved): Migrated {
  if (!isPlainObject(value)) return { value, moves: [], warnings: [] };
  const draft = new FileDraft(structuredClone(value));
  for (const rule of rulesOf(moved)) rule(draft);
  return { value: draft.root, moves: draft.moves, warnings: draft.warnings };
}

class FileDraft implements Draft {
  readonly moves: Move[] = [];
  readonly warnings: Issue[] = [];
  readonly root: Record<string, unknown>;

  constructor(root: Record<string, unknown>) {
    this.root = root;
  }

  get(path: Path): unknown {
    return getAt(this.root, path);
  }

  /** Takes the value at `from` (if any) to `to`, laying it beneath what is there. */
  move(from: Path, to: Path): void {
    const value = this.get(from);
    if (value === undefined) return;
    this.remove(from);
    this.put(to, value, from);
  }

  put(to: Path, value: unknown, from: Path, advice?: string): void {
    const present = this.get(to);
    const clash = present !== undefined && !(isPlainObject(present) && isPlainObject(value));
    this.moves.push({ from, to });
    const [was, is] = [formatPath(from), formatPath(to)];
    this.warnings.push(
      clash
        ? {
            path: was,
            problem: `"${was}" is an old name of "${is}", which is set too and wins`,
            fix: `Remove "${was}".`,
          }
        : {
            path: was,
            problem: `"${was}" is an old name of "${is}"`,
            fix: advice ?? `Rename it to "${is}"; it works as it is.`,
          },
    );
    if (!clash)
      this.set(
        to,
        present === undefined ? value : layered(value as Record<string, unknown>, present as Record<string, unknown>),
      );
  }

  set(path: Path, value: unknown): void {
    let at: Record<string, unknown> = this.root;
    for (const [index, key] of path.slice(0, -1).entries()) {
      const next = at[key];
      if (typeof next !== 'object' || next === null) at[key] = /^\d+$/.test(path[index + 1] ?? '') ? [] : {};
      at = at[key] as Record<string, unknown>;
    }
    at[path.at(-1)!] = value;
  }

  /** Removes a key, and objects that became empty by it. */
  remove(path: Path): void {
    const parent = this.get(path.slice(0, -1));
    if (!isPlainObject(parent)) return;
    delete parent[path.at(-1)!];
    if (path.length > 1 && Object.keys(parent).length === 0) this.remove(path.slice(0, -1));
  }
}

function layered(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isPlainObject(below) && isPlainObject(value) ? layered(below, value) : value;
  }
  return result;
}

function rename([from, to]: readonly [string, string]): Rule {
  return (draft) => draft.move(from.split('.'), to.split('.'));
}

/** Recordings once had one command line, with `{input}` for the file; now they have a list of entries. */
function transcriptionCommand(draft: FileDraft): void {
  for (const from of [
    ['audio', 'transcription'],
    ['routing', 'transcribeAudio'],
  ]) {
    const old = draft.get(from);
    const line = isPlainObject(old) ? old['command'] : undefined;
    if (!isPlainObject(old) || !Array.isArray(line) || !line.every((part) => typeof part === 'string')) continue;
    const [command, ...args] = line.map((part) => part.replaceAll('{input}', '{{MediaPath}}'));
    const { timeoutSeconds } = old;
    draft.remove(from);
    draft.put(
      ['tools', 'media', 'audio', 'models'],
      [{ type: 'cli', command, args, ...present({ timeoutSeconds }) }],
      from,
      'Write it there as an entry with `command` and `args`; it works as it is.',
    );
  }
}

/** Options of one vendor once stood in a block of its name beside the others. */
function vendorBlocks(draft: FileDraft): void {
  const media: Path = ['tools', 'media'];
  const entriesAt = (list: Path): Path[] => {
    const entries = draft.get(list);
    return Array.isArray(entries) ? entries.map((_, index) => [...list, String(index)]) : [];
  };
  const blocks = ['image', 'audio', 'video'].map((kind): Path => [...media, kind]);
  for (const at of [
    ...blocks,
    ...blocks.flatMap((block) => entriesAt([...block, 'models'])),
    ...entriesAt([...media, 'models']),
  ])
    draft.move([...at, 'deepgram'], [...at, 'providerOptions', 'deepgram']);
}

/** The models of the oldest spelling were single names beside their fallbacks. */
function modelNames(draft: FileDraft): void {
  for (const name of ['model', 'imageModel']) {
    const fallbacks = ['agent', `${name}Fallbacks`];
    if (draft.get(fallbacks) === undefined) continue;
    const single = draft.get(['agent', name]);
    if (typeof single === 'string') {
      draft.remove(['agent', name]);
      draft.put(['agents', 'defaults', name, 'primary'], single, ['agent', name]);
    }
    draft.move(fallbacks, ['agents', 'defaults', name, 'fallbacks']);
  }
}

function agentDefaults(draft: FileDraft): void {
  const agent = draft.get(['agent']);
  if (!isPlainObject(agent)) return;
  for (const key of Object.keys(agent)) draft.move(['agent', key], ['agents', 'defaults', key]);
  draft.remove(['agent']);
}

/** `agents.entries.<id>` → an element of `agents.list` with that id. */
function agentEntries(draft: FileDraft): void {
  const entries = draft.get(['agents', 'entries']);
  if (!isPlainObject(entries)) return;
  for (const [id, entry] of Object.entries(entries)) {
    if (!isPlainObject(entry)) continue;
    const list = draft.get(['agents', 'list']);
    const agents: unknown[] = Array.isArray(list) ? list : [];
    const index = agents.findIndex((agent) => isPlainObject(agent) && agent['id'] === id);
    const place = ['agents', 'list', String(index === -1 ? agents.length : index)];
    draft.move(['agents', 'entries', id], place);
    draft.set(place, { id, ...(draft.get(place) as object) });
  }
}

/** One identity for the whole file belonged to the agent that answers by default. */
function rootIdentity(draft: FileDraft): void {
  if (!isPlainObject(draft.get(['identity']))) return;
  const list = draft.get(['agents', 'list']);
  const agents = Array.isArray(list) ? list : [];
  const chosen = Math.max(
    0,
    agents.findIndex((agent) => isPlainObject(agent) && agent['default'] === true),
  );
  if (agents.length === 0) draft.set(['agents', 'list'], [{ id: DEFAULT_AGENT_ID }]);
  draft.move(['identity'], ['agents', 'list', String(chosen), 'identity']);
}

function bindingNames(draft: FileDraft): void {
  const bindings = draft.get(['bindings']);
  if (!Array.isArray(bindings)) return;
  for (const index of bindings.keys()) {
    const match = ['bindings', String(index), 'match'];
    draft.move([...match, 'provider'], [...match, 'channel']);
    draft.move([...match, 'accountID'], [...match, 'accountId']);
  }
}

function idleReset(draft: FileDraft): void {
  const minutes = ['session', 'idleMinutes'];
  if (draft.get(minutes) === undefined) return;
  const fresh = draft.get(['session', 'reset']) === undefined;
  draft.move(minutes, ['session', 'reset', 'idleMinutes']);
  if (fresh) draft.set(['session', 'reset', 'mode'], 'idle');
}

/** `{ source: "env", id: "NAME" }` is another way to write `${NAME}`; both are good, so nothing is warned about. */
function secretReferences(draft: FileDraft): void {
  const visit = (node: unknown, path: Path): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      const name = referenceName(child);
      if (name === undefined) visit(child, [...path, key]);
      else (node as Record<string, unknown>)[key] = `\${${name}}`;
    }
  };
  visit(draft.root, []);
}

/** True for a setting that names an environment variable by an object. */
export function isSecretReference(value: unknown): boolean {
  return referenceName(value) !== undefined;
}

function referenceName(value: unknown): string | undefined {
  if (!isPlainObject(value) || value['source'] !== 'env' || typeof value['id'] !== 'string') return undefined;
  const known = Object.keys(value).every((key) => key === 'source' || key === 'id' || key === 'provider');
  return known && /^[A-Z_][A-Z0-9_]*$/.test(value['id']) ? value['id'] : undefined;
}
