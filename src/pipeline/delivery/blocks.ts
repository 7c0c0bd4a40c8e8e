/** Sends an answer in finished blocks while it is written; what is left is the final answer's. */
import type { HumanDelay } from '../../config/delivery-config.ts';
import type { Timer } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import { blockEnd } from './block-cut.ts';
import { shownSoFar } from '../../core/directives.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { planReply } from './plan.ts';

export const blockToken = (runId: string, block: number, part = 0): string =>
  `${runId}:block:${block}${part === 0 ? '' : `.${part}`}`;
export const isBlockToken = (token: string): boolean => /:block:\d+(?:\.\d+)?$/.test(token);

/**
 * Characters that may come before they are looked at, and the part of a long answer: reading all that was said at every
 * word would be slow.
 */
const GLANCE = 16;
const GLANCE_PART = 1 / 64;
/** Of a shorter answer every finished line is looked at. */
const SHORT = 4096;

/** A block whose fate is not known by then is trusted to the outbox. */
const TIMEOUT_MS = 5000;
const NATURAL: readonly [number, number] = [800, 2500];

export interface Blocks {
  show(written: string): void;
  /** The turn goes on with something else: what was said goes out. */
  flush(): void;
  /**
   * Nothing goes out from now on. Resolves with what did: undefined when a block failed, and the answer is to be sent
   * whole.
   */
  seal(): Promise<string | undefined>;
}

export function createBlocks(run: LiveRun, deps: Pick<LiveDeps, 'clock' | 'log' | 'post' | 'send' | 'random'>): Blocks {
  const { coalesce, flush: when } = run.blocks;
  const stop = new AbortController();
  const waiting: string[] = [];
  const state: {
    written: string;
    seen: number;
    visible: string;
    cut: number;
    taken: number;
    sent: string;
    count: number;
    failed: boolean;
    idle?: Timer;
    working?: Promise<void>;
  } = { written: '', seen: 0, visible: '', cut: 0, taken: 0, sent: '', count: 0, failed: false };

  function look(): void {
    [state.seen, state.visible] = [state.written.length, shownSoFar(state.written)];
    cutAll();
  }

  function cutAll(): void {
    for (
      let end = blockEnd(state.visible.slice(state.cut), run.blocks);
      end !== undefined;
      end = blockEnd(state.visible.slice(state.cut), run.blocks)
    ) {
      if (state.cut > state.taken && state.cut + end - state.taken > coalesce.maxChars) take(state.cut);
      state.cut += end;
      if (state.cut - state.taken >= coalesce.minChars) take(state.cut);
    }
  }

  function take(to: number): void {
    const text = state.visible.slice(state.taken, to);
    state.taken = to;
    if (text.trim() === '') return;
    waiting.push(text);
    state.working ??= work().finally(() => delete state.working);
  }

  async function work(): Promise<void> {
    for (let text = waiting[0]; text !== undefined && !state.failed; text = waiting[0]) {
      if (state.count > 0)
        await deps.clock
          .sleep(pauseOf(run.humanDelay, deps.random), stop.signal)
          .catch(() => undefined /* sealed: looked at next */);
      if (stop.signal.aborted) return;
      const posted = await send(text);
      if (stop.signal.aborted && !posted) return;
      waiting.shift();
    }
  }

  /** One row after the other, so that the next block knows that this one arrived. */
  async function send(text: string): Promise<boolean> {
    const number = state.count++;
    const parts = planReply({ kind: 'interim', text }, run.rules, {
      messageId: run.messageId,
      prefix: run.prefix(),
      continued: number > 0,
    });
    try {
      const ids = await deps.post(
        run,
        parts.map((payload, part) => ({ token: blockToken(run.runId, number, part), payload })),
      );
      state.sent += text;
      const ends = await Promise.all(ids.map((id) => deps.send(id)));
      if (ends.some((end) => end?.status === 'failed')) state.failed = true;
      return true;
    } catch (error) {
      deps.log.warn('blocks.post', { runId: run.runId, error }); // the journal refused: the answer itself is to say it
      state.failed = true;
      return false;
    }
  }

  return {
    show(written) {
      state.written = written;
      if (when === 'message_end' || state.failed || stop.signal.aborted) return;
      const fresh = written.length - state.seen;
      if (
        fresh >= Math.max(GLANCE, written.length * GLANCE_PART) ||
        (written.length <= SHORT && written.includes('\n', state.seen))
      )
        look();
      state.idle?.cancel();
      state.idle = deps.clock
        .setTimeout(() => {
          look();
          take(state.cut);
        }, coalesce.idleMs)
        .unref();
    },
    flush() {
      if (stop.signal.aborted) return;
      state.visible = shownSoFar(`${state.written}\n`);
      cutAll();
      state.cut = state.visible.length;
      take(state.cut);
    },
    async seal() {
      stop.abort();
      state.idle?.cancel();
      if (state.working) await settlesWithin(state.working, TIMEOUT_MS, deps.clock);
      return state.failed ? undefined : state.sent;
    },
  };
}

function pauseOf({ mode, minMs, maxMs }: HumanDelay, random: () => number): number {
  if (mode === 'off') return 0;
  const [least, max] = mode === 'natural' ? NATURAL : [minMs, Math.max(minMs, maxMs)];
  return Math.round(least + random() * (max - least));
}
