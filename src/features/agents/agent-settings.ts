/**
 * What the configuration says of agents, and changes of it by single edits, so that comments stay. Each change counts
 * for the file it was worked out from: if somebody saved in between it is refused.
 */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { ToolProfile } from '../../core/tool-groups.ts';
import { normaliseAgentId } from '../../core/session-key.ts';
import type { Host } from '../../host/host.ts';
import type { AgentAnswers, AgentDescribed } from './answers.ts';
import { bindingEdits, writtenBindings, type Edit, type PlacedBinding } from './binding-edits.ts';

export interface AgentChange {
  readonly identity?: { readonly [K in 'name' | 'theme' | 'emoji' | 'avatar']?: string | null | undefined } | undefined;
  readonly model?:
    | { readonly primary?: string | undefined; readonly fallbacks?: readonly string[] | undefined }
    | null
    | undefined;
  readonly skills?: readonly string[] | null | undefined;
  readonly tools?:
    | {
        readonly profile?: ToolProfile | null | undefined;
        readonly allow?: readonly string[] | null | undefined;
        readonly deny?: readonly string[] | null | undefined;
        readonly alsoAllow?: readonly string[] | null | undefined;
      }
    | undefined;
  readonly isDefault?: true | undefined;
}

export interface NewAgent {
  readonly agentId: string;
  readonly name?: string | undefined;
  readonly emoji?: string | undefined;
  readonly workspace?: string | undefined;
}

export interface AgentSettings {
  /** Unknown: `AppError('not_found')`. */
  describe(agentId?: string): AgentDescribed;
  create(agent: NewAgent): Promise<AgentAnswers['agents.create']>;
  update(agentId: string, change: AgentChange): Promise<AgentAnswers['agents.update']>;
  remove(agentId: string): Promise<AgentAnswers['agents.delete']>;
  /** All bindings, in order. A file that changed since `baseHash`: `AppError('conflict')`. */
  setBindings(bindings: readonly PlacedBinding[], baseHash: string): Promise<AgentAnswers['agents.bindings.set']>;
}

interface AgentSettingsDeps {
  readonly config: Pick<Host['config'], 'current' | 'store'>;
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'resolve' | 'entry'>;
  workspaceOf(agentId: string): string;
}

export const createAgentSettings = (deps: AgentSettingsDeps): AgentSettings => new ConfiguredAgents(deps);

class ConfiguredAgents implements AgentSettings {
  readonly #deps: AgentSettingsDeps;

  constructor(deps: AgentSettingsDeps) {
    this.#deps = deps;
  }

  describe(written?: string): AgentDescribed {
    const { agents, workspaceOf } = this.#deps;
    const { id, name, identity, isDefault, model, skills } = agents.resolve(written ?? agents.defaultId());
    const entry = agents.entry(id);
    return {
      agentId: id,
      isDefault,
      written: entry !== undefined,
      name: identity?.name || name || id,
      identity: present({
        name: identity?.name,
        theme: identity?.theme,
        emoji: identity?.emoji,
        avatar: identity?.avatar,
      }),
      workspace: workspaceOf(id),
      model: { own: entry?.model !== undefined, fallbacks: model.fallbacks, ...present({ primary: model.primary }) },
      tools: this.#toolsOf(id),
      bindings: this.#bindingsOf(id).length,
      ...present({ skills }),
    };
  }

  async create({ agentId: written, name, emoji, workspace }: NewAgent): Promise<AgentAnswers['agents.create']> {
    const { agents } = this.#deps;
    const agentId = normaliseAgentId(written);
    if (agentId !== written)
      throw new AppError('invalid', `An id has lower-case letters, digits, "-" and "_"; use "${agentId}".`);
    if (agents.ids().includes(agentId)) throw new AppError('conflict', `There is an agent "${agentId}" already.`);
    const identity = present({ name: name || undefined, emoji: emoji || undefined });
    const named = Object.keys(identity).length > 0;
    const entry = present({ id: agentId, workspace, identity: named ? identity : undefined });
    const count = this.#list.length;
    // In an empty list the new agent would be the only one, and take the place of the one there is by default.
    return this.#save(agentId, [
      count === 0
        ? { path: 'agents.list', value: [{ id: agents.defaultId() }, entry] }
        : { path: `agents.list[${count}]`, value: entry },
    ]);
  }

  update(
    agentId: string,
    { identity = {}, model, skills, tools = {}, isDefault }: AgentChange,
  ): Promise<AgentAnswers['agents.update']> {
    const { at, first } = this.#placed(agentId);
    const faces = Object.entries(identity)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ path: `${at}.identity.${key}`, value: value || undefined }));
    return this.#save(agentId, [
      ...first,
      ...faces,
      ...(model === undefined ? [] : [{ path: `${at}.model`, value: model ?? undefined }]),
      ...(skills === undefined ? [] : [{ path: `${at}.skills`, value: skills ?? undefined }]),
      ...Object.entries(tools)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ({ path: `${at}.tools.${key}`, value: value?.length ? value : undefined })),
      ...(isDefault ? this.#madeDefault(agentId) : []),
    ]);
  }

  async remove(agentId: string): Promise<AgentAnswers['agents.delete']> {
    const { agents } = this.#deps;
    const index = this.#placeOf(agentId);
    if (index < 0 || agents.ids().length === 1)
      throw new AppError('invalid', `"${agentId}" is the only agent; one agent there must be.`);
    if (agentId === agents.defaultId())
      throw new AppError('invalid', `"${agentId}" is the default agent. Make another one the default first.`);
    const bindings = this.#bindingsOf(agentId);
    const saved = await this.#save(agentId, [
      // From the last on: the places of those before stay what they are.
      ...bindings.toReversed().map((place) => ({ path: `bindings[${place}]`, value: undefined })),
      { path: `agents.list[${index}]`, value: undefined },
    ]);
    return { ...saved, bindings: bindings.length };
  }

  async setBindings(
    bindings: readonly PlacedBinding[],
    baseHash: string,
  ): Promise<AgentAnswers['agents.bindings.set']> {
    const { config, agents } = this.#deps;
    const { exists, parsed, hash } = config.store.snapshot();
    if (exists && baseHash !== hash)
      throw new AppError('conflict', 'The configuration was changed since. Load it again, then change the bindings.');
    const known = agents.ids();
    const stranger = bindings.find((one) => !('keep' in one) && !known.includes(normaliseAgentId(one.agentId)));
    if (stranger && !('keep' in stranger))
      throw new AppError('invalid', `There is no agent "${stranger.agentId}". Agents: ${known.join(', ')}.`);
    const edits = bindingEdits(writtenBindings(parsed, config.current().bindings), bindings);
    if (edits.length === 0) return { hash, warnings: [] };
    const saved = await config.store.edit(edits, exists ? baseHash : undefined, { knownOnly: true });
    return { hash: saved.hash, warnings: wordsOf(saved.warnings) };
  }

  #toolsOf(agentId: string): AgentDescribed['tools'] {
    const own = this.#list[this.#placeOf(agentId)]?.tools;
    const { profile, allow, deny } = own ?? {};
    return present({ profile, allow, deny, alsoAllow: own?.alsoAllow ?? this.#deps.config.current().tools.alsoAllow });
  }

  get #list() {
    return this.#deps.config.current().agents.list;
  }

  #placeOf(agentId: string): number {
    return this.#list.findIndex(({ id }) => normaliseAgentId(id) === agentId);
  }

  #bindingsOf(agentId: string): readonly number[] {
    const { bindings } = this.#deps.config.current();
    return bindings.flatMap((binding, index) => (normaliseAgentId(binding.agentId) === agentId ? [index] : []));
  }

  /** Where the agent stands in the list; the one there is by default is written down first. */
  #placed(agentId: string): { readonly at: string; readonly first: readonly Edit[] } {
    const index = this.#placeOf(agentId);
    return index >= 0
      ? { at: `agents.list[${index}]`, first: [] }
      : { at: 'agents.list[0]', first: [{ path: 'agents.list', value: [{ id: agentId }] }] };
  }

  /** The folder of an agent depends on whether it is the default: written down, it stays where it is. */
  #madeDefault(agentId: string): readonly Edit[] {
    const { agents, workspaceOf } = this.#deps;
    if (agentId === agents.defaultId()) return [];
    return this.#list.flatMap(({ default: chosen, workspace, id }, place): readonly Edit[] => {
      const known = normaliseAgentId(id);
      const becomes = known === agentId;
      const moves = workspace === undefined && (becomes || known === agents.defaultId());
      return [
        ...(moves ? [{ path: `agents.list[${place}].workspace`, value: workspaceOf(known) }] : []),
        ...(chosen && !becomes ? [{ path: `agents.list[${place}].default`, value: undefined }] : []),
        ...(becomes ? [{ path: `agents.list[${place}].default`, value: true }] : []),
      ];
    });
  }

  async #save(agentId: string, edits: readonly Edit[]): Promise<AgentAnswers['agents.update']> {
    const { store } = this.#deps.config;
    const { exists, hash } = store.snapshot();
    const { warnings } = await store.edit(edits, exists ? hash : undefined, { knownOnly: true });
    return { agentId, warnings: wordsOf(warnings) };
  }
}

const wordsOf = (warnings: readonly { readonly path: string; readonly problem: string }[]): readonly string[] =>
  warnings
    .filter(({ path }) => /^(?:agents|bindings|broadcast)\b/.test(path))
    .map(({ path, problem }) => `${path}: ${problem}`);
