/** Sends completed blocks while an answer is generated; the final answer sends the rest. */
import type { HumanDelay } from '../../config/delivery-config.ts';
import type { Timer } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import { blockEnd } from './block-cut.ts';
import { visiblePrefix } from '../../core/directives/visible-prefix.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { planReply } from './plan.ts';
import { pause } from '../../platform/pause.ts';

export const blockToken = (runId: string, block: number, part = 0): string =>
  `${runId}:block:${block}${part === 0 ? '' : `.${part}`}`;
export const isBlockToken = (token: string): boolean => /:block:\d+(?:\.\d+)?$/.test(token);

/**
 * Characters that may come before they are looked at, and the part of a long answer: reading all that was said at every
 * word would be slow.
 */
const GLANCE = 16;
const GLANCE_PART = 1 / 64;
/** In a shorter answer every finished line is checked. */
const SHORT = 4096;

/** A block whose outcome is unknown by then is left to the outbox. */
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
  finish(): Promise<string | undefined>;
}

export function createBlocks(run: LiveRun, deps: Pick<LiveDeps, 'clock' | 'log' | 'post' | 'send' | 'random'>): Blocks {
  return new LiveBlocks(run, deps);
}

class LiveBlocks implements Blocks {
  readonly #run: LiveRun;
  readonly #deps: Pick<LiveDeps, 'clock' | 'log' | 'post' | 'send' | 'random'>;
  readonly #coalesce;
  readonly #when;
  readonly #stop = new AbortController();
  readonly #waiting: string[] = [];
  #written = '';
  #seen = 0;
  #visible = '';
  #cut = 0;
  #taken = 0;
  #sent = '';
  #count = 0;
  #failed = false;
  #idle: Timer | undefined;
  #working: Promise<void> | undefined;

  constructor(run: LiveRun, deps: Pick<LiveDeps, 'clock' | 'log' | 'post' | 'send' | 'random'>) {
    this.#run = run;
    this.#deps = deps;
    this.#coalesce = run.blocks.coalesce;
    this.#when = run.blocks.flush;
  }

  show(written: string): void {
    this.#written = written;
    if (this.#when === 'message_end' || this.#failed || this.#stop.signal.aborted) return;
    const fresh = written.length - this.#seen;
    if (
      fresh >= Math.max(GLANCE, written.length * GLANCE_PART) ||
      (written.length <= SHORT && written.includes('\n', this.#seen))
    )
      this.#rescan();
    this.#idle?.cancel();
    this.#idle = this.#deps.clock
      .setTimeout(() => {
        this.#rescan();
        this.#take(this.#cut);
      }, this.#coalesce.idleMs)
      .unref();
  }

  flush(): void {
    if (this.#stop.signal.aborted) return;
    this.#visible = visiblePrefix(`${this.#written}\n`);
    this.#cutAll();
    this.#cut = this.#visible.length;
    this.#take(this.#cut);
  }

  async finish(): Promise<string | undefined> {
    this.#stop.abort();
    this.#idle?.cancel();
    if (this.#working) await settlesWithin(this.#working, TIMEOUT_MS, this.#deps.clock);
    return this.#failed ? undefined : this.#sent;
  }

  #rescan(): void {
    [this.#seen, this.#visible] = [this.#written.length, visiblePrefix(this.#written)];
    this.#cutAll();
  }

  #cutAll(): void {
    for (
      let end = blockEnd(this.#visible.slice(this.#cut), this.#run.blocks);
      end !== undefined;
      end = blockEnd(this.#visible.slice(this.#cut), this.#run.blocks)
    ) {
      if (this.#cut > this.#taken && this.#cut + end - this.#taken > this.#coalesce.maxChars) this.#take(this.#cut);
      this.#cut += end;
      if (this.#cut - this.#taken >= this.#coalesce.minChars) this.#take(this.#cut);
    }
  }

  #take(to: number): void {
    const text = this.#visible.slice(this.#taken, to);
    this.#taken = to;
    if (text.trim() === '') return;
    this.#waiting.push(text);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    for (let text = this.#waiting[0]; text !== undefined && !this.#failed; text = this.#waiting[0]) {
      if (this.#count > 0)
        await pause(pauseOf(this.#run.humanDelay, this.#deps.random), this.#stop.signal, this.#deps.clock);
      if (this.#stop.signal.aborted) return;
      const posted = await this.#send(text);
      if (this.#stop.signal.aborted && !posted) return;
      this.#waiting.shift();
    }
  }

  /** One row after the other, so that the next block knows that this one arrived. */
  async #send(text: string): Promise<boolean> {
    const number = this.#count++;
    const parts = planReply({ kind: 'interim', text }, this.#run.rules, {
      messageId: this.#run.messageId,
      prefix: this.#run.prefix(),
      continued: number > 0,
    });
    try {
      const ids = await this.#deps.post(
        this.#run,
        parts.map((payload, part) => ({ token: blockToken(this.#run.runId, number, part), payload })),
      );
      this.#sent += text;
      const ends = await Promise.all(ids.map((id) => this.#deps.send(id)));
      if (ends.some((end) => end?.status === 'failed')) this.#failed = true;
      return true;
    } catch (error) {
      // The journal refused it; the final answer then carries this text.
      this.#deps.log.warn('blocks.post', { runId: this.#run.runId, error });
      this.#failed = true;
      return false;
    }
  }
}

function pauseOf({ mode, minMs, maxMs }: HumanDelay, random: () => number): number {
  if (mode === 'off') return 0;
  const [least, max] = mode === 'natural' ? NATURAL : [minMs, Math.max(minMs, maxMs)];
  return Math.round(least + random() * (max - least));
}
