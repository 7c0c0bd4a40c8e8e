/**
 * Selects the tools of a place: loaded, allowed by the policy, and usable there; and explains why others are missing.
 */
import { groupPlaces, type KnownPlace } from '../tool-policy/group-place.ts';
import { createPolicyEvaluator, type StageDecision } from '../tool-policy/decide.ts';
import { policyStages, type PolicyConfig } from '../tool-policy/stages.ts';
import type { IdForms } from '../../core/place-key.ts';
import { present } from '../../core/present.ts';
import type { ReachableChannel } from '../../core/reachable-channel.ts';
import type { ToolProfile } from '../../core/tool-groups.ts';
import type { Route } from '../../core/route.ts';
import { isSubagentKey } from '../../core/session-key.ts';
import type { Tool, ToolSurroundings } from '../../core/tool.ts';
import type { ToolDecision } from '../../host/tool-service.ts';

export interface ToolboxDeps {
  config(): PolicyConfig;
  readonly tools: readonly Tool[];
  /** Tools of third-party plugins: tool name → plugin id. */
  readonly origins?: ReadonlyMap<string, string>;
  /** A tool called like a channel acts on it, which nobody may from inside a sandbox. */
  readonly channelIds?: readonly string[];
  /** Channels that messages can be sent to; the same object as long as nothing changed. */
  channels?(): readonly ReachableChannel[];
  readonly idForms?: (channel: string) => IdForms | undefined;
}

/** Where tools would be used, and by whom. */
export interface ToolboxContext {
  readonly route: Route;
  /** Who wrote the messages, by the channel's stable ids; none for work that is no message. */
  readonly senders: readonly string[];
  readonly model: { readonly provider: string; readonly modelId: string };
  /** Absent: not sandboxed. */
  readonly sandbox?: { readonly workspaceAccess: 'none' | 'ro' | 'rw' } | undefined;
  readonly describesPictures: ToolSurroundings['describesPictures'];
  /** The sessions that asked for this one's work, the nearest first: it keeps to the rules of their groups. */
  readonly origins?: readonly string[] | undefined;
  /** The known facts about the place; limits that these cannot rule out apply. */
  readonly known?: KnownPlace | undefined;
}

export interface Evaluated {
  readonly profile: ToolProfile;
  /** What is left: for the prompt and the provider's schema alike. */
  readonly tools: readonly Tool[];
  /** All tools in order; created on first use. */
  readonly decisions: readonly ToolDecision[];
  /** Settings that name tools nobody has; looked for when first asked. */
  readonly warnings: readonly string[];
}

export interface Toolbox {
  of(context: ToolboxContext): Evaluated;
}

export function createToolbox({
  config,
  tools,
  origins = new Map(),
  channelIds = [],
  channels = () => NONE,
  idForms,
}: ToolboxDeps): Toolbox {
  const named = tools.map((tool) => {
    const pluginId = origins.get(tool.name);
    return present({ tool, name: tool.name, pluginId });
  });
  const evaluate = createPolicyEvaluator(named);
  const fitted = createFitting();

  function of(context: ToolboxContext): Evaluated {
    const now = config();
    const { agentId, sessionKey, replyTo } = context.route;
    const groups = groupPlaces({
      address: replyTo,
      sessionKey,
      origins: context.origins,
      known: context.known,
      idForms,
    });
    const { profile, stages } = policyStages(
      now,
      {
        agentId,
        model: context.model,
        groups,
        senders: context.senders,
        sandbox: context.sandbox,
        subagent: isSubagentKey(sessionKey),
      },
      channelIds,
    );
    const where: ToolSurroundings = present({
      route: context.route,
      model: `${context.model.provider}/${context.model.modelId}`,
      describesPictures: context.describesPictures,
      config: now.tools,
      channels: channels(),
      sandbox: context.sandbox,
    });
    const seen = named.map((one) => ({
      ...one,
      stages: [...evaluate.evaluate(one, stages), available(one.tool, where)],
    }));
    return {
      profile,
      tools: seen.filter(allowed).map(({ tool }) => fitted(tool, where)),
      get decisions() {
        return seen.map((one) => ({
          name: one.name,
          summary: one.tool.summary,
          allowed: allowed(one),
          stages: one.stages,
          ...(one.pluginId === undefined
            ? { source: 'core' as const }
            : { source: 'plugin' as const, pluginId: one.pluginId }),
        }));
      },
      get warnings() {
        return evaluate.strays(stages);
      },
    };
  }
  return { of };
}

const NONE: readonly ReachableChannel[] = [];

/** Tools whose manual depends on the place, made once per place: what is kept of a tool is kept by its object. */
function createFitting(): (tool: Tool, where: ToolSurroundings) => Tool {
  const known = new WeakMap<readonly ReachableChannel[], Map<string, Tool>>();
  return (tool, where) => {
    if (!tool.for) return tool;
    const channels = where.channels ?? NONE;
    const made = known.get(channels) ?? new Map<string, Tool>();
    known.set(channels, made);
    const key = `${tool.name} ${where.route.replyTo.channel} ${where.describesPictures}`;
    const fitting = made.get(key) ?? { ...tool, ...tool.for(where) };
    made.set(key, fitting);
    return fitting;
  };
}

const allowed = ({ stages }: { readonly stages: readonly StageDecision[] }): boolean => stages.every(({ ok }) => ok);

/** The tool has the last word: it may have no use in this place. */
function available(tool: Tool, where: ToolSurroundings): StageDecision {
  if (tool.available?.(where) ?? true) return { stage: 'available', ok: true };
  return { stage: 'available', ok: false, setting: missing(tool, where) };
}

const ANY_CHANNEL: ReachableChannel = { id: 'any', label: 'Any', actions: [] };

/** Asked again in other surroundings, a tool tells by its answer what it misses here. */
function missing(tool: Tool, where: ToolSurroundings): string {
  const { sandbox, ...outside } = where;
  if (sandbox && tool.available!(outside))
    return `agents.defaults.sandbox.workspaceAccess = "${sandbox.workspaceAccess}"`;
  if (!where.describesPictures && tool.available!({ ...where, describesPictures: true }))
    return 'agents.defaults.imageModel: no model can describe images';
  if (!where.channels?.length && tool.available!({ ...where, channels: [ANY_CHANNEL] }))
    return 'channels: none is configured';
  return 'the tool itself: not usable on this channel, with this model or with its own settings';
}
