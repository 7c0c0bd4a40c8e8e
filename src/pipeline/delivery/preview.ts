/** One message that shows the answer while it is written, and becomes the answer in the end. */
import { asAppError } from '../../core/errors.ts';
import type { OutboundMessage } from '../../core/reply.ts';
import type { Timer } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import { chunkText } from './chunk.ts';
import { shownSoFar } from '../../core/directives.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { planReply } from './plan.ts';
import { previewToken } from './preview-token.ts';

/** Quick answers are sent once, as they are. */
const FIRST_AFTER_MS = 700;
const FIRST_CHARS = 40;
const BETWEEN_MS = 1000;
/** Characters that are looked at: more than one message of any platform holds. */
const GLIMPSE = 65_536;
/** An edit that hangs must not keep the answer. */
const TIMEOUT_MS = 3000;

export interface Preview {
  /** All that was said so far, directives and all. */
  show(written: string): void;
  /** Nothing is posted or changed from now on. Resolves, soon, with whether there is a message that may be replaced. */
  seal(): Promise<boolean>;
  /** Resolves when the last change arrived. */
  settled(): Promise<void>;
  /** Takes the message back, where that can be done. */
  remove(): Promise<void>;
}

export function createPreview(
  run: LiveRun,
  deps: Pick<LiveDeps, 'clock' | 'log' | 'connection' | 'post' | 'send' | 'withdraw'>,
): Preview {
  const begun = deps.clock.monotonic();
  const state: {
    written: string;
    shown: string;
    next: number;
    sealed: boolean;
    row?: Promise<number | undefined>;
    messageId?: string;
    timer?: Timer;
    busy?: Promise<void>;
    dead?: true;
    noDraft?: true;
  } = { written: '', shown: '', next: begun + FIRST_AFTER_MS, sealed: false };

  /** At most one change is under way, and none comes too early. */
  function plan(): void {
    if (state.sealed || state.dead || state.busy || state.timer) return;
    const wait = state.next - deps.clock.monotonic();
    if (wait <= 0) return step();
    state.timer = deps.clock
      .setTimeout(() => {
        delete state.timer;
        if (!state.sealed) step();
      }, wait)
      .unref();
  }

  function step(): void {
    const said = shownSoFar(state.written.slice(0, GLIMPSE));
    const [part] = planReply({ kind: 'interim', text: chunkText(said, run.rules.chunks)[0] ?? '' }, run.rules, {
      messageId: run.messageId,
      prefix: run.prefix(),
    });
    if (!part?.text || part.text === state.shown || (state.row === undefined && said.length < FIRST_CHARS)) return;
    const { text } = part;
    state.busy = (state.row === undefined ? begin({ ...part, text }) : edit({ ...part, text }))
      .catch((error: unknown) => failed(error))
      .finally(() => {
        delete state.busy;
        state.next = Math.max(state.next, deps.clock.monotonic() + BETWEEN_MS);
        if (state.shown !== state.written) plan();
      });
  }

  /** A draft of the platform's own leaves nothing behind; where there is none, a message is begun. */
  async function begin(payload: Part): Promise<void> {
    const connection = state.noDraft ? undefined : deps.connection(run.address);
    const shown = connection?.draft
      ? await connection.draft(run.address, messageOf(payload)).catch(refusedDraft)
      : false;
    if (shown) return void (state.shown = payload.text);
    state.noDraft = true;
    if (!state.sealed) await post(payload);
  }

  const messageOf = (payload: Part): OutboundMessage => ({
    token: previewToken(run.runId),
    runId: run.runId,
    sessionKey: run.sessionKey,
    payload,
  });

  async function post(payload: Part): Promise<void> {
    state.row = deps.post(run, [{ token: previewToken(run.runId), payload }]).then(([id]) => id);
    const id = await state.row;
    if (id === undefined || state.sealed) return void (id !== undefined && deps.withdraw(id));
    const sent = await deps.send(id);
    const [messageId] = sent?.status === 'sent' ? sent.messageIds : [];
    if (messageId === undefined) state.dead = true;
    else [state.messageId, state.shown] = [messageId, payload.text];
  }

  async function edit(payload: Part): Promise<void> {
    const connection = deps.connection(run.address);
    if (!connection?.edit || state.messageId === undefined) return;
    await connection.edit(run.address, state.messageId, messageOf(payload));
    state.shown = payload.text;
  }

  /** The answer itself comes anyway: a preview that makes trouble is left as it is. */
  function failed(error: unknown): void {
    const { retryAfterMs, retryable } = asAppError(error);
    if (retryable) state.next = deps.clock.monotonic() + Math.max(BETWEEN_MS, retryAfterMs ?? 0);
    else state.dead = true;
    deps.log.debug('preview.edit', { runId: run.runId, error });
  }

  /** Resolves when the last change arrived, or after a while. */
  async function settled(): Promise<void> {
    if (state.busy) await settlesWithin(state.busy, TIMEOUT_MS, deps.clock);
  }

  return {
    show(written) {
      state.written = written;
      plan();
    },
    async seal() {
      state.sealed = true;
      state.timer?.cancel();
      if (state.row === undefined) await settled(); // a draft must not come behind the answer
      const id = await state.row?.catch(() => undefined /* logged where it was posted: there is no preview */);
      // it waits for its turn: the answer takes it
      if (id !== undefined && state.messageId === undefined) deps.withdraw(id);
      return id !== undefined;
    },
    settled,
    async remove() {
      if (state.messageId !== undefined) await deps.connection(run.address)?.remove?.(run.address, state.messageId);
    },
  };
}

/** A chat that takes no drafts gets a message; trouble that passes is for the next step. */
function refusedDraft(error: unknown): false {
  if (asAppError(error).retryable) throw error;
  return false;
}

type Part = ReturnType<typeof planReply>[number] & { readonly text: string };
