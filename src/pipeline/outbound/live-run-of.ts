/** Determines what may be shown of a run, from configuration, session and message. */
import { reasoningOf, verboseOf } from '../../agent/turn/turn-levels.ts';
import type { LiveRun } from '../delivery/live-run.ts';
import { outsideOf, type LiveDeliveryDeps, type ActiveRuns } from './live-delivery-deps.ts';
import type { createDeliverySettings } from './live-settings.ts';
import type { RunPrefix } from './run-prefix.ts';

interface LiveRunParts {
  readonly rows: ActiveRuns['rows'];
  readonly prefixFor: RunPrefix;
  readonly liveSettings: ReturnType<typeof createDeliverySettings>['liveSettings'];
}

/** Undefined: nothing is shown of it early. */
export function createLiveRunOf(
  deps: Pick<LiveDeliveryDeps, 'channels' | 'config' | 'session' | 'requested'>,
  { rows, prefixFor, liveSettings }: LiveRunParts,
): (runId: string) => LiveRun | undefined {
  return (runId) => {
    const row = rows.get(runId);
    const capabilities = row && outsideOf(deps.channels, row.route.replyTo.channel);
    // nobody waits for what nobody asked for
    if (!row || !capabilities || row.message.quiet || row.trigger) return undefined;
    const settings = liveSettings(deps.config(), row, capabilities);
    const begunBefore = row.turnId !== undefined; // an earlier run showed its beginning: the answer takes that up
    const { agentId, sessionKey, replyTo } = row.route;
    const behind = { options: { ...row.options, ...deps.requested?.(row) }, entry: deps.session(sessionKey) };
    const verbose = verboseOf(behind);
    const seen = replyTo.chat.kind === 'direct' && !row.message.native && !row.message.system;
    return {
      ...settings,
      runId,
      sessionKey,
      address: replyTo,
      messageId: row.message.id,
      streaming: begunBefore ? 'off' : settings.streaming,
      toolSummaries: verbose !== 'off' && seen,
      toolResults: verbose === 'full' && seen,
      thoughts: reasoningOf(behind) === 'stream',
      prefix: () =>
        prefixFor(
          { runId, agentId, sessionKey },
          { configured: settings.rules.prefix, together: row.together !== undefined },
        ),
    };
  };
}
