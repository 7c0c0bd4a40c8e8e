/**
 * What people see on a channel while an answer is made: the sign that it was seen, typing, a preview or blocks, tools.
 */
import { maybeSilent } from '../../core/reply.ts';
import type { AgentEvent } from '../../core/turn.ts';
import { readDirectives } from '../../core/directives.ts';
import type { LiveDeps } from './live-run.ts';
import { createLiveSigns } from './live-signs.ts';
import { createShownRuns, type Shown, type Streamed } from './shown-runs.ts';
import { toolOutcome, toolSummary } from './tool-summary.ts';

/** Characters. */
const THOUGHTS_SHOWN = 600;

export type Live = ReturnType<typeof createLive>;

/** Nothing here holds up an answer or makes a turn fail: what goes wrong is logged. */
export function createLive(deps: LiveDeps) {
  const runs = createShownRuns(deps);
  const signs = createLiveSigns(deps);

  function spoke(shown: Shown, delta: string): void {
    const { run } = shown;
    shown.written += delta;
    if (!signs.isTyping(run) && (run.typing === 'message' || run.typing === 'thinking') && !maybeSilent(shown.written))
      signs.type(run);
    shown.preview?.show(shown.written);
    shown.blocks?.show(shown.written);
  }

  /** The newest of them: a preview holds one message. */
  function thought(shown: Shown, delta: string): void {
    const { run } = shown;
    if (run.typing === 'thinking' || run.typing === 'instant') signs.type(run);
    if (!run.thoughts || shown.written !== '') return;
    shown.thought += delta;
    shown.preview?.show(`💭 ${shown.thought.slice(-THOUGHTS_SHOWN)}`);
  }

  function goesOn({ run }: Shown): void {
    if (run.typing === 'instant' || signs.isTyping(run)) signs.type(run);
  }

  function came(shown: Shown, { callId, tool, result }: Extract<AgentEvent, { type: 'tool.ended' }>): void {
    goesOn(shown);
    if (shown.run.toolResults) signs.notify(shown.run, `${callId}:end`, toolOutcome(tool, result));
  }

  function used({ run, blocks }: Shown, { callId, tool, input }: Extract<AgentEvent, { type: 'tool.started' }>): void {
    signs.type(run);
    blocks?.flush();
    if (run.toolSummaries) signs.notify(run, callId, toolSummary(tool, input));
  }

  function ended(shown: Shown, outcome: Extract<AgentEvent, { type: 'ended' }>['outcome']): void {
    const { run, preview } = shown;
    signs.stopTyping(run);
    signs.quietly('seal', run, runs.seal(shown));
    if (preview && outcome.kind === 'done' && readDirectives(outcome.text).silent)
      signs.quietly(
        'remove',
        run,
        preview.settled().then(() => preview.remove()),
      );
    if (run.ack !== undefined && run.removeAck)
      signs.quietly(
        'ack',
        run,
        deps.delivered(run.runId).then(() => signs.react(run, { remove: true })),
      );
  }

  return {
    /** A message was let in and is going to be answered. */
    accepted(runId: string): void {
      const shown = runs.has(runId) ? undefined : runs.open(runId);
      if (!shown) return;
      signs.react(shown.run);
      if (shown.run.typing === 'instant') signs.type(shown.run);
    },

    event(runId: string, event: AgentEvent): void {
      const shown = event.type === 'ended' ? runs.take(runId) : runs.open(runId);
      if (!shown) return;
      switch (event.type) {
        case 'text':
          return spoke(shown, event.delta);
        case 'thinking':
          return thought(shown, event.delta);
        case 'tool.started':
          return used(shown, event);
        case 'tool.ended':
          return came(shown, event);
        case 'started':
        case 'understanding':
          return goesOn(shown);
        case 'ended':
          return ended(shown, event.outcome);
        default:
          return undefined;
      }
    },

    /** The answer is whole: nothing more of it is shown early. Undefined: nothing was. */
    async streamed(runId: string): Promise<Streamed | undefined> {
      const shown = runs.find(runId);
      return shown && (await runs.seal(shown));
    },

    get size(): number {
      return runs.size;
    },
    close: (): void => signs.close(),
  };
}
