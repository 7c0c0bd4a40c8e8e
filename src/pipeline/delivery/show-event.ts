/** Shows one event of an active run. */
import { maybeSilent } from '../../core/reply.ts';
import type { AgentEvent } from '../../core/turn.ts';
import type { LiveSigns } from './live-signs.ts';
import type { Shown } from './shown-runs.ts';
import { toolOutcome, toolSummary } from './tool-summary.ts';

/** Characters. */
const THOUGHTS_SHOWN = 600;

export function createShowEvent(signs: LiveSigns): (shown: Shown, event: AgentEvent) => void {
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

  return (shown, event) => {
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
      default:
        return undefined;
    }
  };
}
