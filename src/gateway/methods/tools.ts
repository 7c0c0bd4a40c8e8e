/** Serves `tools.*`: all tools, the tools of an agent with reasons, and direct calls. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { PROFILE_NAMES, TOOL_GROUPS, TOOL_PROFILES, type ToolProfile } from '../../core/tool-groups.ts';
import { readPattern, toolName } from '../../core/tool-pattern.ts';
import { textOf } from '../../core/transcript.ts';
import type { Answers } from '../../protocol/answers.ts';
import {
  toolsCatalogParams,
  toolsEffectiveParams,
  toolsExplainParams,
  toolsInvokeParams,
} from '../../protocol/tools.ts';
import type { ToolPlace, ToolDecision } from '../../host/tool-service.ts';
import { method, requireAgent, sessionKeyOf, type Call, type Methods } from './method.ts';

export const toolMethods: Methods = {
  'tools.catalog': method({
    summary: 'Lists every tool by group, with the profiles that include it.',
    needs: 'operator.read',
    params: toolsCatalogParams,
    async run({ agentId, includePlugins = true }, call) {
      const { agentId: whose, decisions } = await call.services.tools.decisions(placeOf({ agentId }, call));
      const shown = decisions.filter(({ source }) => includePlugins || source === 'core');
      return {
        agentId: whose,
        profiles: PROFILE_NAMES.map((id) => ({ id, label: PROFILE_LABELS[id] })),
        groups: [...coreGroups(shown), ...pluginGroups(shown)],
      };
    },
  }),

  'tools.effective': method({
    summary: 'Lists the tools of the next turn of a session.',
    needs: 'operator.read',
    params: toolsEffectiveParams,
    async run({ agentId, sessionKey }, call) {
      const {
        agentId: whose,
        profile,
        decisions,
        warnings,
      } = await call.services.tools.decisions(placeOf({ agentId, sessionKey }, call));
      const left = decisions.filter(({ allowed }) => allowed);
      return {
        agentId: whose,
        profile,
        groups: (['core', 'plugin'] as const)
          .map((source) => ({
            id: source,
            label: SOURCE_LABELS[source],
            source,
            tools: left.filter((tool) => tool.source === source).map(effectiveEntry),
          }))
          .filter(({ tools }) => tools.length > 0),
        ...present({
          notices:
            warnings.length > 0
              ? warnings.map((message, index) => ({
                  id: `tool-policy-${index + 1}`,
                  severity: 'warning' as const,
                  message,
                }))
              : undefined,
        }),
      };
    },
  }),

  'tools.explain': method({
    summary:
      'Explains which stage of the tool policy keeps or removes each tool, and by which setting; for one tool also ' +
      'what its calls may do, step by step.',
    needs: 'operator.read',
    params: toolsExplainParams,
    async run({ tool, ...place }, call) {
      const { decisions, ...facts } = await call.services.tools.decisions({ ...place, ...placeOf(place, call) });
      const shown =
        tool === undefined ? decisions : decisions.filter(({ name }) => name.toLowerCase() === toolName(tool));
      if (shown.length === 0 && tool !== undefined)
        throw new AppError(
          'not_found',
          `Unknown tool "${tool}". Tools: ${decisions.map(({ name }) => name).join(', ')}.`,
        );
      if (tool === undefined) return { ...facts, tools: shown };
      return {
        ...facts,
        tools: shown,
        access: await call.services.tools.access({
          ...place,
          ...placeOf(place, call),
          tool: shown[0]!.name,
          principal: call.principal,
        }),
      };
    },
  }),

  'tools.invoke': method({
    summary: 'Runs one tool under the policy of a session.',
    // A tool has the rights of the owner; who may only write to an agent gets them through its judgement alone.
    needs: 'operator.admin',
    params: toolsInvokeParams,
    run: ({ name, args = {}, agentId, sessionKey }, call) =>
      invoke(name, { ...placeOf({ agentId, sessionKey }, call), tool: name, args }, call),
  }),
};

async function invoke(
  name: string,
  request: ToolPlace & { tool: string; args: Record<string, unknown> },
  { services, principal, signal }: Call,
): Promise<Answers['tools.invoke']> {
  try {
    const result = await services.tools.invoke({ ...request, principal, signal });
    const error = { code: codeOf(result.details), message: textOf(result.content) || `${name} failed.` };
    return present({
      ok: result.isError !== true,
      toolName: name,
      output: result,
      error: result.isError ? error : undefined,
    });
  } catch (caught) {
    // Errors that the caller can correct are answers; all others are failed requests.
    if (!(caught instanceof AppError) || !['not_found', 'invalid'].includes(caught.code)) throw caught;
    return { ok: false, toolName: name, error: { code: caught.code, message: caught.message } };
  }
}

function codeOf(details: unknown): string {
  const code = (details as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code !== '' ? code : 'failed';
}

/** Agent and session checked, the key canonical. */
function placeOf({ agentId, sessionKey }: ToolPlace, call: Call): ToolPlace {
  if (agentId !== undefined) requireAgent(call.services, agentId);
  return { agentId, sessionKey: sessionKey === undefined ? undefined : sessionKeyOf(call, sessionKey, agentId) };
}

const PROFILE_LABELS: Readonly<Record<ToolProfile, string>> = {
  minimal: 'Minimal',
  coding: 'Coding',
  messaging: 'Messaging',
  full: 'Full',
};
const SOURCE_LABELS = { core: 'Built in', plugin: 'From plugins' } as const;
const GROUP_LABELS: Readonly<Record<string, string>> = {
  fs: 'Files',
  runtime: 'Commands',
  sessions: 'Sessions',
  memory: 'Memory',
  web: 'Web',
  ui: 'Browser and canvas',
  automation: 'Automation',
  messaging: 'Messages',
  nodes: 'Nodes',
};
const REST = { id: 'other', label: 'Other' };

type CatalogGroup = Answers['tools.catalog']['groups'][number];

function coreGroups(decisions: readonly ToolDecision[]): readonly CatalogGroup[] {
  const core = decisions.filter(({ source }) => source === 'core');
  const groupOf = ({ name }: ToolDecision): string =>
    Object.keys(GROUP_LABELS).find((id) => TOOL_GROUPS[`group:${id}`]!.includes(name)) ?? REST.id;
  return [...Object.entries(GROUP_LABELS).map(([id, label]) => ({ id, label })), REST]
    .map(
      ({ id, label }): CatalogGroup => ({
        id,
        label,
        source: 'core',
        tools: core.filter((tool) => groupOf(tool) === id).map(catalogEntry),
      }),
    )
    .filter(({ tools }) => tools.length > 0);
}

function pluginGroups(decisions: readonly ToolDecision[]): readonly CatalogGroup[] {
  const ids = [...new Set(decisions.flatMap(({ pluginId }) => (pluginId === undefined ? [] : [pluginId])))];
  return ids.map((pluginId) => ({
    id: `plugin:${pluginId}`,
    label: pluginId,
    source: 'plugin',
    pluginId,
    tools: decisions.filter((tool) => tool.pluginId === pluginId).map(catalogEntry),
  }));
}

const originOf = ({ source, pluginId }: ToolDecision): Pick<ToolDecision, 'source' | 'pluginId'> =>
  present({ source, pluginId });
const profilesOf = (tool: ToolDecision): readonly ToolProfile[] =>
  PROFILE_NAMES.filter((profile) => TOOL_PROFILES[profile].some((pattern) => readPattern(pattern)(tool)));
const catalogEntry = (tool: ToolDecision): CatalogGroup['tools'][number] => ({
  id: tool.name,
  label: tool.name,
  description: tool.summary,
  ...originOf(tool),
  defaultProfiles: profilesOf(tool),
});
const effectiveEntry = (tool: ToolDecision): Answers['tools.effective']['groups'][number]['tools'][number] => ({
  id: tool.name,
  label: tool.name,
  description: tool.summary,
  rawDescription: tool.summary,
  ...originOf(tool),
});
