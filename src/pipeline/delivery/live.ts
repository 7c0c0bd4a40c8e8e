/**
 * What people see on a channel while an answer is made: the sign that it was seen, typing, a preview or blocks, tools.
 */
import { maybeSilent } from '../../core/reply.ts';
import type { AgentEvent } from '../../core/turn.ts';
import { createBlocks, type Blocks } from './blocks.ts';
import { readDirectives } from '../../core/directives.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { createPreview, type Preview } from './preview.ts';
import { previewToken } from './preview-token.ts';
import { toolOutcome, toolSummary } from './tool-summary.ts';
import { createTyping } from './typing.ts';

/** What was shown of an answer before it was whole. */
export interface Streamed {
  /** Stands in the chat and is to become the answer. */
  readonly preview: boolean;
  /** What blocks said; undefined: one of them failed, and the answer is to be sent whole. */
  readonly sent: string | undefined;
}

/** Characters. */
const THOUGHTS_SHOWN = 600;

export type Live = ReturnType<typeof createLive>;

interface Shown {
  readonly run: LiveRun;
  written: string;
  thought: string;
  readonly preview: Preview | undefined;
  readonly blocks: Blocks | undefined;
}

/** Nothing here holds up an answer or makes a turn fail: what goes wrong is logged. */
export function createLive(deps: LiveDeps) {
  const { clock, log } = deps;
  /** Runs nothing is shown of are remembered too: they are not looked up at every word. */
  const runs = new Map<string, Shown | undefined>();
  const typing = createTyping<LiveRun>({
    clock,
    keyOf: ({ address: { channel, accountId, chat, threadId } }) =>
      JSON.stringify([channel, accountId, chat.id, threadId]),
    show: (run) => quietly('typing', run, deps.connection(run.address)?.typing?.(run.address)),
  });

  function quietly(what: string, { runId }: LiveRun, doing: Promise<unknown> | undefined): void {
    doing?.catch((error: unknown) => log.debug('live.failed', { what, runId, error }));
  }

  function shownOf(runId: string): Shown | undefined {
    if (runs.has(runId)) return runs.get(runId);
    const run = deps.liveOf(runId);
    if (!run) return void runs.set(runId, undefined);
    const shown: Shown = {
      run,
      written: '',
      thought: '',
      preview: run.streaming === 'preview' ? createPreview(run, deps) : undefined,
      blocks: run.streaming === 'blocks' ? createBlocks(run, deps) : undefined,
    };
    runs.set(runId, shown);
    return shown;
  }

  const type = ({ run }: Shown): void => {
    if (run.typing !== 'never') typing.start(run.runId, run, run.typingEveryMs);
  };

  function react({ run }: Shown, options?: { remove: true }): void {
    if (run.ack !== undefined)
      quietly('ack', run, deps.connection(run.address)?.react?.(run.address, run.messageId, run.ack, options));
  }

  function spoke(shown: Shown, delta: string): void {
    shown.written += delta;
    if (
      !typing.isTyping(shown.run.runId) &&
      (shown.run.typing === 'message' || shown.run.typing === 'thinking') &&
      !maybeSilent(shown.written)
    )
      type(shown);
    shown.preview?.show(shown.written);
    shown.blocks?.show(shown.written);
  }

  /** The newest of them: a preview holds one message. */
  function thought(shown: Shown, delta: string): void {
    if (shown.run.typing === 'thinking' || shown.run.typing === 'instant') type(shown);
    if (!shown.run.thoughts || shown.written !== '') return;
    shown.thought += delta;
    shown.preview?.show(`💭 ${shown.thought.slice(-THOUGHTS_SHOWN)}`);
  }

  function came(shown: Shown, { callId, tool, result }: Extract<AgentEvent, { type: 'tool.ended' }>): void {
    if (shown.run.typing === 'instant' || typing.isTyping(shown.run.runId)) type(shown);
    if (shown.run.toolResults) notify(shown.run, `${callId}:end`, toolOutcome(tool, result));
  }

  function notify(run: LiveRun, place: string, text: string): void {
    const row = { token: `${run.runId}:tool:${place}`, payload: { kind: 'interim', text } } as const;
    quietly(
      'tool',
      run,
      deps.post(run, [row]).then((ids) => Promise.all(ids.map((id) => deps.send(id)))),
    );
  }

  function used(shown: Shown, { callId, tool, input }: Extract<AgentEvent, { type: 'tool.started' }>): void {
    type(shown);
    shown.blocks?.flush();
    const { run } = shown;
    if (run.toolSummaries) notify(run, callId, toolSummary(tool, input));
  }

  function ended(shown: Shown, outcome: Extract<AgentEvent, { type: 'ended' }>['outcome']): void {
    const { run, preview } = shown;
    typing.seal(run.runId);
    quietly('seal', run, seal(shown));
    if (preview && outcome.kind === 'done' && readDirectives(outcome.text).silent)
      quietly(
        'remove',
        run,
        preview.settled().then(() => preview.remove()),
      );
    if (run.ack !== undefined && run.removeAck)
      quietly(
        'ack',
        run,
        deps.delivered(run.runId).then(() => react(shown, { remove: true })),
      );
  }

  async function seal({ run, preview, blocks }: Shown): Promise<Streamed> {
    if (preview) deps.previews.add(previewToken(run.runId), preview);
    const stands = preview ? await preview.seal() : false;
    return { preview: stands, sent: blocks ? await blocks.seal() : '' };
  }

  return {
    /** A message was let in and is going to be answered. */
    accepted(runId: string): void {
      const shown = runs.has(runId) ? undefined : shownOf(runId);
      if (!shown) return;
      react(shown);
      if (shown.run.typing === 'instant') type(shown);
    },

    event(runId: string, event: AgentEvent): void {
      const shown = event.type === 'ended' ? runs.get(runId) : shownOf(runId);
      if (event.type === 'ended') runs.delete(runId);
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
          return shown.run.typing === 'instant' || typing.isTyping(runId) ? type(shown) : undefined;
        case 'ended':
          return ended(shown, event.outcome);
        default:
          return undefined;
      }
    },

    /** The answer is whole: nothing more of it is shown early. Undefined: nothing was. */
    async streamed(runId: string): Promise<Streamed | undefined> {
      const shown = runs.get(runId);
      return shown && (await seal(shown));
    },

    get size(): number {
      return runs.size;
    },
    close: (): void => typing.close(),
  };
}
