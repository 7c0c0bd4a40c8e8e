/** Reports the results of hooks to the main session of the agent, once each, also across restarts. */
import { OWN_CHANNEL } from '../../core/product.ts';
import { excerpt } from '../../core/cut.ts';
import { HEARTBEAT_OK, type Trigger } from '../../core/trigger.ts';
import { asAppError } from '../../core/errors.ts';
import { inertLine } from '../../core/inert-line.ts';
import type { Log } from '../../core/log.ts';
import { neutralise } from '../../core/neutralise.ts';
import { isSilent } from '../../core/reply.ts';
import { mainSessionKey } from '../../core/session-key.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../../core/turn.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Host } from '../../host/host.ts';
import type { WakeRequest } from '../../host/wake.ts';

export interface HookReportsDeps {
  readonly journal: {
    readonly inbound: Pick<Journal['inbound'], 'open' | 'recent' | 'find'>;
    readonly turns: Pick<Journal['turns'], 'find'>;
  };
  readonly runs: Pick<Host['runs'], 'whenEnded'>;
  readonly sessions: Pick<Host['sessions'], 'keyRules'>;
  /** Resolves when it is on disk. */
  wake(wake: WakeRequest): Promise<unknown>;
  readonly log: Log;
}

export interface HookReports {
  /** Tells when its run ends. */
  follow(row: InboundRow): void;
  start(): Promise<void>;
}

/** Rows that are looked through at the start for ends nobody was told of. */
const MAX_SCANNED = 200;

export function createHookReports(deps: HookReportsDeps): HookReports {
  const { journal, runs, log } = deps;

  function follow(row: InboundRow): void {
    void runs.whenEnded(row.runId)?.then(({ outcome }) => report(row, outcome));
  }

  /** What could not be told now is told at the next start. */
  function report(row: InboundRow, outcome: TurnOutcome): Promise<void> {
    return notify(row, outcome).catch((error: unknown) =>
      log.error('hooks.report', { runId: row.runId, error: asAppError(error) }),
    );
  }

  async function notify(row: InboundRow, outcome: TurnOutcome): Promise<void> {
    const { agentId, sessionKey, replyTo } = row.route;
    const main = mainSessionKey(agentId, deps.sessions.keyRules());
    const hook = hookOf(row);
    const said = saidOf(outcome);
    // The main session knows what it did itself.
    if (!hook || said === undefined || sessionKey === main) return;
    const delivered = replyTo.channel !== OWN_CHANNEL;
    const text = `Hook ${inertLine(hook.name ?? hook.hook)}${outcome.kind === 'failed' ? ' (error)' : ''}: ${said}`;
    // A person who was answered already needs nobody to look.
    await deps.wake({
      id: reportId(row),
      agentId,
      sessionKey: main,
      text,
      reason: `hook:${hook.hook}`,
      mode: hook.wake && !(delivered && outcome.kind === 'done') ? 'now' : 'next-heartbeat',
      authority: row.authority,
      ifSkipped: 'note',
    });
  }

  return {
    follow,
    async start() {
      for (const row of await journal.inbound.open()) if (hookOf(row)) follow(row);
      // Asked for after those without an end: one that ended in between is among these. Told twice, it is kept once.
      for (const row of await journal.inbound.recent({ limit: MAX_SCANNED })) {
        const ended = row.state !== 'accepted' && hookOf(row);
        const outcome = ended ? (await journal.turns.find(row.turnId ?? row.runId))?.outcome : undefined;
        if (outcome && !(await journal.inbound.find(reportId(row)))) await report(row, outcome);
      }
    },
  };
}

const reportId = ({ runId }: InboundRow): string => `hook:${runId}:main`;

const hookOf = ({ trigger }: InboundRow): Extract<Trigger, { origin: 'webhook' }> | undefined =>
  trigger?.origin === 'webhook' ? trigger : undefined;

const MAX_CHARS = 2000;

/** What the agent made of words from outside is quoted as they are. Undefined: there is nothing to report. */
function saidOf(outcome: TurnOutcome): string | undefined {
  if (outcome.kind === 'aborted' || (outcome.kind === 'failed' && outcome.code === SUSPENDED_CODE)) return undefined;
  const text = outcome.kind === 'failed' ? outcome.message : outcome.text.trim();
  if (text === '' || (outcome.kind === 'done' && (isSilent(text) || text === HEARTBEAT_OK))) return undefined;
  return neutralise(excerpt(text, MAX_CHARS));
}
