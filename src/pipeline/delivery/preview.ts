/** A message that is edited while the answer is generated, and finally becomes the answer. */
import { asAppError } from '../../core/errors.ts';
import type { OutboundMessage } from '../../core/reply.ts';
import type { Timer } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import { chunkText } from './chunk.ts';
import { visiblePrefix } from '../../core/directives/visible-prefix.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { planReply } from './plan.ts';
import { previewToken } from './preview-token.ts';
import { whenOver } from '../../platform/settled.ts';

/** Quick answers are sent once, as they are. */
const FIRST_AFTER_MS = 700;
const FIRST_CHARS = 40;
const BETWEEN_MS = 1000;
/** Characters that are processed: more than one message of any platform contains. */
const GLIMPSE = 65_536;
/** An edit that hangs must not keep the answer. */
const TIMEOUT_MS = 3000;

export interface Preview {
  /** All that was said so far, directives and all. */
  show(written: string): void;
  /** Nothing is posted or changed from now on. Resolves, soon, with whether there is a message that may be replaced. */
  finish(): Promise<boolean>;
  /** Resolves when the last change arrived. */
  settled(): Promise<void>;
  /** Takes the message back, where that can be done. */
  remove(): Promise<void>;
}

export function createPreview(
  run: LiveRun,
  deps: Pick<LiveDeps, 'clock' | 'log' | 'connection' | 'post' | 'send' | 'withdraw'>,
): Preview {
  return new MessagePreview(run, deps);
}

class MessagePreview implements Preview {
  readonly #run: LiveRun;
  readonly #deps: Pick<LiveDeps, 'clock' | 'log' | 'connection' | 'post' | 'send' | 'withdraw'>;
  readonly #begun;
  #written = '';
  #shown = '';
  #next: number;
  #finished = false;
  #row: Promise<number | undefined> | undefined;
  #rowId: number | undefined;
  #messageId: string | undefined;
  #timer: Timer | undefined;
  #busy: Promise<void> | undefined;
  #dead: true | undefined;
  #noDraft: true | undefined;

  constructor(run: LiveRun, deps: Pick<LiveDeps, 'clock' | 'log' | 'connection' | 'post' | 'send' | 'withdraw'>) {
    this.#run = run;
    this.#deps = deps;
    this.#begun = deps.clock.monotonic();
    this.#next = this.#begun + FIRST_AFTER_MS;
  }

  show(written: string): void {
    this.#written = written;
    this.#plan();
  }

  async finish(): Promise<boolean> {
    this.#finished = true;
    this.#timer?.cancel();
    if (this.#row === undefined) await this.settled(); // a draft must not come behind the answer
    await whenOver(this.#row); // a failure is logged where it was posted: there is no preview
    const id = this.#rowId;
    // it waits for its turn: the answer takes it
    if (id !== undefined && this.#messageId === undefined) this.#deps.withdraw(id);
    return id !== undefined;
  }

  async remove(): Promise<void> {
    if (this.#messageId !== undefined)
      await this.#deps.connection(this.#run.address)?.remove?.(this.#run.address, this.#messageId);
  }

  /** Resolves when the last change arrived, or after a while. */
  async settled(): Promise<void> {
    if (this.#busy) await settlesWithin(this.#busy, TIMEOUT_MS, this.#deps.clock);
  }

  /** At most one change is under way, and none comes too early. */
  #plan(): void {
    if (this.#finished || this.#dead || this.#busy || this.#timer) return;
    const wait = this.#next - this.#deps.clock.monotonic();
    if (wait <= 0) return this.#step();
    this.#timer = this.#deps.clock
      .setTimeout(() => {
        this.#timer = undefined;
        if (!this.#finished) this.#step();
      }, wait)
      .unref();
  }

  #step(): void {
    const said = visiblePrefix(this.#written.slice(0, GLIMPSE));
    const [part] = planReply(
      { kind: 'interim', text: chunkText(said, this.#run.rules.chunks)[0] ?? '' },
      this.#run.rules,
      {
        messageId: this.#run.messageId,
        prefix: this.#run.prefix(),
      },
    );
    if (!part?.text || part.text === this.#shown || (this.#row === undefined && said.length < FIRST_CHARS)) return;
    const { text } = part;
    this.#busy = (this.#row === undefined ? this.#begin({ ...part, text }) : this.#edit({ ...part, text }))
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#busy = undefined;
        this.#next = Math.max(this.#next, this.#deps.clock.monotonic() + BETWEEN_MS);
        if (this.#shown !== this.#written) this.#plan();
      });
  }

  /** A draft of the platform's own leaves nothing behind; where there is none, a message is begun. */
  async #begin(payload: Part): Promise<void> {
    const connection = this.#noDraft ? undefined : this.#deps.connection(this.#run.address);
    const shown = connection?.draft
      ? await connection.draft(this.#run.address, this.#messageOf(payload)).catch(refusedDraft)
      : false;
    if (shown) return void (this.#shown = payload.text);
    this.#noDraft = true;
    if (!this.#finished) await this.#post(payload);
  }

  #messageOf(payload: Part): OutboundMessage {
    return {
      token: previewToken(this.#run.runId),
      runId: this.#run.runId,
      sessionKey: this.#run.sessionKey,
      payload,
    };
  }

  async #post(payload: Part): Promise<void> {
    this.#row = this.#deps.post(this.#run, [{ token: previewToken(this.#run.runId), payload }]).then(([id]) => id);
    const id = (this.#rowId = await this.#row);
    if (id === undefined || this.#finished) return void (id !== undefined && this.#deps.withdraw(id));
    const sent = await this.#deps.send(id);
    const [messageId] = sent?.status === 'sent' ? sent.messageIds : [];
    if (messageId === undefined) this.#dead = true;
    else [this.#messageId, this.#shown] = [messageId, payload.text];
  }

  async #edit(payload: Part): Promise<void> {
    const connection = this.#deps.connection(this.#run.address);
    if (!connection?.edit || this.#messageId === undefined) return;
    await connection.edit(this.#run.address, this.#messageId, this.#messageOf(payload));
    this.#shown = payload.text;
  }

  /** The answer is sent anyway: a failing preview is left as it is. */
  #failed(error: unknown): void {
    const { retryAfterMs, retryable } = asAppError(error);
    if (retryable) this.#next = this.#deps.clock.monotonic() + Math.max(BETWEEN_MS, retryAfterMs ?? 0);
    else this.#dead = true;
    this.#deps.log.debug('preview.edit', { runId: this.#run.runId, error });
  }
}

/** A chat without drafts gets a message; temporary failures are retried in the next step. */
function refusedDraft(error: unknown): false {
  if (asAppError(error).retryable) throw error;
  return false;
}

type Part = ReturnType<typeof planReply>[number] & { readonly text: string };
