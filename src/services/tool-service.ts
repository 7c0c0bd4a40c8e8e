/**
 * The gateway's `tools` service: the tools of an agent with reasons, and direct calls under the same policy as in a
 * turn.
 */
import type { AgentsConfig, ToolsConfig } from '../agent/config.ts';
import { isSchema } from '../agent/schema/json-schema.ts';
import { parseToolInput } from '../agent/schema/parse-tool-input.ts';
import { neutralSchema } from '../agent/schema/schema-for.ts';
import { nearest } from '../config/suggest.ts';
import type { AccessConfig } from '../config/access-config.ts';
import { operatorAuthority } from '../core/authority.ts';
import { AppError, asAppError } from '../core/errors.ts';
import { explainAct, requesterView } from '../core/explain-access.ts';
import type { Log } from '../core/log.ts';
import { toolName } from '../core/tool-pattern.ts';
import { errorResult, textResult, type Tool, type ToolContext, type ToolResult } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import type { AccessService } from '../host/channel-services.ts';
import type { ToolInvocation, ToolService, ToolDecision } from '../host/tool-service.ts';
import { ensureDir } from '../platform/files.ts';
import { uuid } from '../platform/ids.ts';
import { homeOf } from '../channel-host/access/gate-authority.ts';
import type { ToolBounds } from '../agent/environment/tool-bounds.ts';
import { openFor } from '../agent/toolbox/opened.ts';
import { contextOf, type ToolPlaceContext, type ToolPlaceDeps } from './tool-context.ts';
import type { Evaluated, Toolbox } from '../agent/toolbox/toolbox.ts';
import { head } from '../core/cut.ts';

export interface ToolServiceDeps extends Omit<ToolPlaceDeps, 'config'> {
  config(): {
    readonly agents: AgentsConfig;
    readonly tools: Pick<ToolsConfig, 'message' | 'sessions'>;
    readonly access: AccessConfig;
  };
  readonly tools: readonly Tool[];
  readonly access: Pick<AccessService, 'asker'>;
  readonly toolbox: Toolbox;
  readonly toolBounds: ToolBounds;
  /** The gateway methods a tool may call. */
  rpc(turn: Turn): ToolContext['rpc'];
  readonly log: Log;
}

export function createToolService(deps: ToolServiceDeps): ToolService {
  return {
    async decisions(place) {
      const context = await contextOf(place, deps);
      const { profile, decisions, warnings } = deps.toolbox.of(context);
      return {
        agentId: context.route.agentId,
        sessionKey: context.route.sessionKey,
        profile,
        decisions,
        warnings,
      };
    },

    async invoke(call) {
      const context = await contextOf(call, deps);
      const evaluated = deps.toolbox.of(context);
      const tool = find(call.tool, evaluated);
      const parsed = parseToolInput(tool, withAction(tool, call));
      if (!parsed.ok) throw new AppError('invalid', parsed.error);
      if (call.dryRun)
        return textResult(`${tool.name} would run with these arguments; it was not run.`, {
          dryRun: true,
          args: parsed.input,
        });
      return run({ tool, input: parsed.input, call, context, evaluated }, deps);
    },

    async access({ tool, principal, ...place }) {
      const { route } = await contextOf(place, deps);
      const { channel, accountId, chat, threadId } = route.replyTo;
      const authority =
        place.sender === undefined
          ? operatorAuthority(principal, homeOf(route))
          : await deps.access.asker(
              {
                channel,
                accountId,
                chatKind: chat.kind,
                chatId: chat.id,
                threadId,
                senderId: place.sender,
                mentioned: true,
              },
              route,
            );
      const { does = [] } = deps.tools.find(({ name }) => name === tool) ?? {};
      return {
        requester: requesterView(authority),
        acts: does.flatMap((act) =>
          explainAct(authority, act, openFor(act[1], deps.config().access.open, deps.config().tools)),
        ),
      };
    },
  };
}

/** The tool, when it is left here. Any spelling a policy may use will do. */
function find(written: string, { tools, decisions }: Evaluated): Tool {
  const wanted = toolName(written);
  const tool = tools.find(({ name }) => name.toLowerCase() === wanted);
  if (tool) return tool;
  const removed = decisions.find(({ name }) => name.toLowerCase() === wanted);
  if (removed)
    throw new AppError('not_found', `${removed.name} is not available here: ${removal(removed)}.`, {
      details: { tool: removed.name },
    });
  const near = nearest(
    wanted,
    decisions.map(({ name }) => name),
  );
  throw new AppError('not_found', `There is no tool "${head(written, 64)}".${near ? ` Did you mean "${near}"?` : ''}`);
}

function removal({ stages }: ToolDecision): string {
  const { stage, setting, pattern } = stages.find(({ ok }) => !ok)!;
  return (
    `the ${stage} stage removed ` +
    `it${setting === undefined ? '' : ` (${setting}${pattern === undefined ? '' : `: ${pattern}`})`}`
  );
}

/** What the arguments say themselves wins. */
function withAction(tool: Tool, { action, args }: ToolInvocation): Readonly<Record<string, unknown>> {
  const properties = neutralSchema(tool)['properties'];
  const takesAction = isSchema(properties) && Object.hasOwn(properties, 'action');
  return action === undefined || !takesAction || 'action' in args ? args : { ...args, action };
}

interface Ready {
  readonly tool: Tool;
  readonly input: unknown;
  readonly call: ToolInvocation;
  readonly context: ToolPlaceContext;
  readonly evaluated: Evaluated;
}

/** Whatever a tool throws becomes a result, as in a turn; only being stopped is none. */
async function run({ tool, input, call, context, evaluated }: Ready, deps: ToolServiceDeps): Promise<ToolResult> {
  const id = uuid();
  const turn: Turn = {
    id,
    route: context.route,
    origin: 'message',
    text: '',
    images: [],
    options: {},
    authority: operatorAuthority(call.principal, homeOf(context.route)),
  };
  const log = deps.log.child({ part: 'tools.invoke', tool: tool.name, sessionKey: context.route.sessionKey });
  const granted = deps.toolBounds.of({ turn, entry: context.entry, place: context.place, tools: evaluated.tools });
  await ensureDir(context.place.workspace);
  log.info('tools.invoke', { by: call.principal.kind });
  try {
    call.signal.throwIfAborted();
    return await tool.run(input, {
      ...granted.of(id),
      turnId: id,
      callId: id,
      route: context.route,
      signal: call.signal,
      log,
      progress: () => undefined,
      rpc: deps.rpc(turn),
    });
  } catch (caught) {
    const error = asAppError(caught);
    if (call.signal.aborted) throw new AppError('aborted', 'The caller went away.', { cause: caught });
    log.warn('tool.failed', { code: error.code, error: error.message });
    return errorResult(error.message || `${tool.name} failed.`, { code: error.code });
  }
}
