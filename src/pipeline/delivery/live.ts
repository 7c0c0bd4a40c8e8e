/** What people see while an answer is generated: acknowledgement, typing, preview or blocks, tools. */
import type { AgentEvent } from '../../core/turn.ts';
import { readDirectives } from '../../core/directives/read-directives.ts';
import type { LiveDeps } from './live-run.ts';
import { createLiveSigns } from './live-signs.ts';
import { createShowEvent } from './show-event.ts';
import { createShownRuns, type Shown, type Streamed } from './shown-runs.ts';

export type Live = ReturnType<typeof createLive>;

/** Nothing here holds up an answer or makes a turn fail: what goes wrong is logged. */
export function createLive(deps: LiveDeps) {
  const runs = createShownRuns(deps);
  const signs = createLiveSigns(deps);
  const show = createShowEvent(signs);

  function ended(shown: Shown, outcome: Extract<AgentEvent, { type: 'ended' }>['outcome']): void {
    const { run, preview } = shown;
    signs.stopTyping(run);
    signs.quietly('finish', run, runs.finish(shown));
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
    /** A message was admitted and will be answered. */
    accepted(runId: string): void {
      const shown = runs.has(runId) ? undefined : runs.open(runId);
      if (!shown) return;
      signs.react(shown.run);
      if (shown.run.typing === 'instant') signs.type(shown.run);
    },

    event(runId: string, event: AgentEvent): void {
      const shown = event.type === 'ended' ? runs.take(runId) : runs.open(runId);
      if (!shown) return;
      if (event.type === 'ended') ended(shown, event.outcome);
      else show(shown, event);
    },

    /** The answer is whole: nothing more of it is shown early. Undefined: nothing was. */
    async streamed(runId: string): Promise<Streamed | undefined> {
      const shown = runs.find(runId);
      return shown && (await runs.finish(shown));
    },

    get size(): number {
      return runs.size;
    },
    close: (): void => signs.close(),
  };
}
