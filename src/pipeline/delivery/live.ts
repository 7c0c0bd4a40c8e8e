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

interface Shown {
  readonly run: LiveRun;
  written: string;
  thought: string;
  readonly preview: Preview | undefined;
  readonly blocks: Blocks | undefined;
}

/** Nothing here holds up an answer or makes a turn fail: what goes wrong is logged. */
export function createLive(deps: LiveDeps): Live {
  return new Live(deps);
}

export class Live {
  readonly #deps: LiveDeps;
  /** Runs nothing is shown of are remembered too: they are not looked up at every word. */
  readonly #runs = new Map<string, Shown | undefined>();
  readonly #typing;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#typing = createTyping<LiveRun>({
      clock: deps.clock,
      keyOf: ({ address: { channel, accountId, chat, threadId } }) =>
        JSON.stringify([channel, accountId, chat.id, threadId]),
      show: (run) => this.#quietly('typing', run, deps.connection(run.address)?.typing?.(run.address)),
    });
  }

  /** A message was let in and is going to be answered. */
  accepted(runId: string): void {
    const shown = this.#runs.has(runId) ? undefined : this.#shownOf(runId);
    if (!shown) return;
    this.#react(shown);
    if (shown.run.typing === 'instant') this.#type(shown);
  }

  event(runId: string, event: AgentEvent): void {
    const shown = event.type === 'ended' ? this.#runs.get(runId) : this.#shownOf(runId);
    if (event.type === 'ended') this.#runs.delete(runId);
    if (!shown) return;
    switch (event.type) {
      case 'text':
        return this.#spoke(shown, event.delta);
      case 'thinking':
        return this.#thought(shown, event.delta);
      case 'tool.started':
        return this.#used(shown, event);
      case 'tool.ended':
        return this.#came(shown, event);
      case 'started':
      case 'understanding':
        return shown.run.typing === 'instant' || this.#typing.isTyping(runId) ? this.#type(shown) : undefined;
      case 'ended':
        return this.#ended(shown, event.outcome);
      default:
        return undefined;
    }
  }

  /** The answer is whole: nothing more of it is shown early. Undefined: nothing was. */
  async streamed(runId: string): Promise<Streamed | undefined> {
    const shown = this.#runs.get(runId);
    return shown && (await this.#seal(shown));
  }

  get size(): number {
    return this.#runs.size;
  }

  close(): void {
    this.#typing.close();
  }

  #quietly(what: string, { runId }: LiveRun, doing: Promise<unknown> | undefined): void {
    doing?.catch((error: unknown) => this.#deps.log.debug('live.failed', { what, runId, error }));
  }

  #shownOf(runId: string): Shown | undefined {
    if (this.#runs.has(runId)) return this.#runs.get(runId);
    const run = this.#deps.liveOf(runId);
    if (!run) return void this.#runs.set(runId, undefined);
    const shown: Shown = {
      run,
      written: '',
      thought: '',
      preview: run.streaming === 'preview' ? createPreview(run, this.#deps) : undefined,
      blocks: run.streaming === 'blocks' ? createBlocks(run, this.#deps) : undefined,
    };
    this.#runs.set(runId, shown);
    return shown;
  }

  #type({ run }: Shown): void {
    if (run.typing !== 'never') this.#typing.start(run.runId, run, run.typingEveryMs);
  }

  #react({ run }: Shown, options?: { remove: true }): void {
    if (run.ack !== undefined)
      this.#quietly(
        'ack',
        run,
        this.#deps.connection(run.address)?.react?.(run.address, run.messageId, run.ack, options),
      );
  }

  #spoke(shown: Shown, delta: string): void {
    shown.written += delta;
    if (
      !this.#typing.isTyping(shown.run.runId) &&
      (shown.run.typing === 'message' || shown.run.typing === 'thinking') &&
      !maybeSilent(shown.written)
    )
      this.#type(shown);
    shown.preview?.show(shown.written);
    shown.blocks?.show(shown.written);
  }

  /** The newest of them: a preview holds one message. */
  #thought(shown: Shown, delta: string): void {
    if (shown.run.typing === 'thinking' || shown.run.typing === 'instant') this.#type(shown);
    if (!shown.run.thoughts || shown.written !== '') return;
    shown.thought += delta;
    shown.preview?.show(`💭 ${shown.thought.slice(-THOUGHTS_SHOWN)}`);
  }

  #came(shown: Shown, { callId, tool, result }: Extract<AgentEvent, { type: 'tool.ended' }>): void {
    if (shown.run.typing === 'instant' || this.#typing.isTyping(shown.run.runId)) this.#type(shown);
    if (shown.run.toolResults) this.#tell(shown.run, `${callId}:end`, toolOutcome(tool, result));
  }

  #tell(run: LiveRun, place: string, text: string): void {
    const row = { token: `${run.runId}:tool:${place}`, payload: { kind: 'interim', text } } as const;
    this.#quietly(
      'tool',
      run,
      this.#deps.post(run, [row]).then((ids) => Promise.all(ids.map((id) => this.#deps.send(id)))),
    );
  }

  #used(shown: Shown, { callId, tool, input }: Extract<AgentEvent, { type: 'tool.started' }>): void {
    this.#type(shown);
    shown.blocks?.flush();
    const { run } = shown;
    if (run.toolSummaries) this.#tell(run, callId, toolSummary(tool, input));
  }

  #ended(shown: Shown, outcome: Extract<AgentEvent, { type: 'ended' }>['outcome']): void {
    const { run, preview } = shown;
    this.#typing.seal(run.runId);
    this.#quietly('seal', run, this.#seal(shown));
    if (preview && outcome.kind === 'done' && readDirectives(outcome.text).silent)
      this.#quietly(
        'remove',
        run,
        preview.settled().then(() => preview.remove()),
      );
    if (run.ack !== undefined && run.removeAck)
      this.#quietly(
        'ack',
        run,
        this.#deps.delivered(run.runId).then(() => this.#react(shown, { remove: true })),
      );
  }

  async #seal({ run, preview, blocks }: Shown): Promise<Streamed> {
    if (preview) this.#deps.previews.add(previewToken(run.runId), preview);
    const stands = preview ? await preview.seal() : false;
    return { preview: stands, sent: blocks ? await blocks.seal() : '' };
  }
}
