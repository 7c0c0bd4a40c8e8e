/**
 * Controls the chat: opens conversations, sends and resends, follows runs, and fetches again what may have been
 * missed.
 */
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { createStore, type Store } from '../gateway/store.ts';
import type { AgentEvent, Ask, ChatEvent, ChatSendResult, TextDelta } from '../gateway/wire.ts';
import { isStopWord } from './stop-words.ts';
import {
  emptyConversation,
  isBusy,
  knownMessages,
  opensRun,
  withAgentEvent,
  withChatEvent,
  withHistory,
  withTextDelta,
  withRun,
  type Conversation,
} from './conversation.ts';
import { toAttachment } from './attachments.ts';
import type { TabStorage } from './tab-storage.ts';
import { isRunning, startRun } from './live-run.ts';
import {
  nextQueued,
  steered,
  unconfirmed,
  withKnownDropped,
  withoutOutgoing,
  withOutgoing,
  withState,
  type Outbox,
  type Outgoing,
  type OutgoingFile,
} from './outbox.ts';

export interface ChatState {
  readonly current: string;
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly outbox: Outbox;
  /** Text put back into the composer: of a refused message, or one taken for editing. */
  readonly restored?: {
    readonly sessionKey: string;
    readonly text: string;
    readonly files: readonly OutgoingFile[];
    readonly reason?: string;
  };
}

export interface ChatDeps {
  readonly request: Ask;
  readonly connected: () => boolean;
  readonly keep: TabStorage;
  readonly newId: () => string;
  readonly now: () => number;
  /** A run began or ended in a conversation. */
  readonly onRun: (sessionKey: string, running: boolean) => void;
  /** The first message of a conversation. */
  readonly onFirstWords?: (sessionKey: string, words: string) => void;
  readonly schedule?: (flush: () => void) => void;
}

const HISTORY_PAGE = 200;
const LARGEST_PAGE = 1000;
/** As many as there are already: whoever scrolls far gets there in few steps. */
const earlierPage = (known: number): number => Math.min(LARGEST_PAGE, Math.max(HISTORY_PAGE, known));

export class ChatController {
  readonly store: Store<ChatState>;
  #deps: ChatDeps;
  #refetches = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(deps: ChatDeps, current: string) {
    this.#deps = deps;
    this.store = createStore<ChatState>({ current, conversations: {}, outbox: deps.keep.outbox() }, deps.schedule);
  }

  get keep(): TabStorage {
    return this.#deps.keep;
  }

  conversation(key = this.store.get().current): Conversation {
    return this.store.get().conversations[key] ?? emptyConversation(key);
  }

  /** The main conversation's key is known only after the greeting; what was written before it belongs there. */
  adopt(key: string): void {
    this.store.update((state) => ({ ...state, current: key }));
    this.#outbox((outbox) =>
      outbox.map((message) => (message.sessionKey === '' ? { ...message, sessionKey: key } : message)),
    );
  }

  open(key: string): void {
    this.store.update((state) => ({ ...state, current: key }));
    void this.fetchHistory(key);
  }

  /** Connected, perhaps again: fetch what was missed, ask after runs, send what was not confirmed. */
  resume(): void {
    const { current, outbox } = this.store.get();
    void this.fetchHistory(current).then(() => this.#settle(current));
    for (const message of unconfirmed(outbox)) void this.#transmit(message);
    // What waits there is sent by `fetchHistory`, once it is known that no answer is under way.
    for (const key of new Set(outbox.map((message) => message.sessionKey)))
      if (key !== current) void this.fetchHistory(key);
  }

  async fetchHistory(key: string): Promise<void> {
    if (!this.#deps.connected() || !key) return;
    const before = this.#deps.now();
    try {
      const history = await this.#deps.request('chat.history', { sessionKey: key, limit: HISTORY_PAGE });
      this.#change(key, (conversation) => withHistory(conversation, history, this.#deps.now()));
      this.#dropKnown(key, before);
    } catch (cause) {
      if (!isDisconnected(cause))
        this.#change(key, (conversation) => ({ ...conversation, loaded: true, error: messageOf(cause) }));
    }
    this.#flush(key);
  }

  async fetchEarlier(key: string): Promise<void> {
    const { fetchEarlier } = await import('./earlier.ts');
    await fetchEarlier({
      conversation: () => this.conversation(key),
      change: (change) => this.#change(key, change),
      request: (offset) => this.#deps.request('chat.history', { sessionKey: key, limit: earlierPage(offset), offset }),
    });
  }

  /** Sends now when the conversation is idle, else queues; a stop word stops instead. */
  send(text: string, files: readonly OutgoingFile[], options: { readonly steer?: boolean } = {}): void {
    const key = this.store.get().current;
    const busy = isBusy(this.conversation(key));
    if (busy && files.length === 0 && isStopWord(text)) return void this.stop(key);
    const { history, loaded } = this.conversation(key);
    if (loaded && history.length === 0 && !text.startsWith('/')) this.#deps.onFirstWords?.(key, text);
    const queued = busy && !options.steer && !text.startsWith('/');
    const message: Outgoing = {
      id: this.#deps.newId(),
      sessionKey: key,
      text,
      files,
      at: this.#deps.now(),
      state: queued ? 'queued' : 'sending',
      ...(options.steer && busy ? { steer: true } : {}),
    };
    this.#outbox((outbox) => withOutgoing(outbox, message));
    if (!queued) void this.#transmit(message);
  }

  steer(id: string): void {
    this.#outbox((outbox) => steered(outbox, id));
    this.#transmitById(id);
  }

  retry(id: string): void {
    this.#outbox((outbox) => withState(outbox, id, 'sending'));
    this.#transmitById(id);
  }

  discard(id: string): void {
    this.#outbox((outbox) => withoutOutgoing(outbox, id));
  }

  /** Takes a waiting message back into the composer. */
  edit(id: string): void {
    const message = this.store.get().outbox.find((entry) => entry.id === id);
    if (!message) return;
    this.discard(id);
    this.#restore(message);
  }

  clearRestored(): void {
    this.store.update(({ restored: _taken, ...rest }) => rest);
  }

  async stop(key = this.store.get().current): Promise<void> {
    try {
      await this.#deps.request('chat.abort', { sessionKey: key });
    } catch (cause) {
      if (!isDisconnected(cause))
        this.#change(key, (conversation) => ({ ...conversation, error: `Could not stop: ${messageOf(cause)}` }));
    }
  }

  forget(key: string): void {
    this.store.update((state) => {
      const { [key]: _gone, ...conversations } = state.conversations;
      return { ...state, conversations };
    });
    this.#outbox((outbox) => outbox.filter((message) => message.sessionKey !== key));
  }

  onChat(event: ChatEvent): void {
    const key = event.sessionKey;
    const stranger = !this.#knows(key, event.runId);
    this.#change(key, (conversation) => withChatEvent(conversation, event, this.#deps.now()));
    const over = event.state === 'final' || event.state === 'aborted' || event.state === 'error';
    if (over) this.#ended(key);
    else {
      this.#deps.onRun(key, true);
      if (stranger) this.#refetchSoon(key);
    }
  }

  onDelta(delta: TextDelta): void {
    const key = delta.sessionKey;
    const stranger = !this.#knows(key, delta.runId);
    this.#change(key, (conversation) => withTextDelta(conversation, delta, this.#deps.now()));
    this.#deps.onRun(key, true);
    if (stranger || this.conversation(key).runs.some(({ gap }) => gap)) this.#refetchSoon(key);
  }

  onAgent(event: AgentEvent): void {
    const key = event.data.sessionKey;
    const stranger = !this.#knows(key, event.runId);
    this.#change(key, (conversation) => withAgentEvent(conversation, event, this.#deps.now()));
    if (stranger && opensRun(event)) {
      this.#deps.onRun(key, true);
      this.#refetchSoon(key);
    }
  }

  #knows(key: string, runId: string): boolean {
    return (
      this.conversation(key).runs.some((run) => run.runId === runId) ||
      this.store.get().outbox.some(({ id }) => id === runId)
    );
  }

  #ended(key: string): void {
    this.#deps.onRun(key, isBusy(this.conversation(key)));
    if (key === this.store.get().current) this.#refetchSoon(key);
    else this.#flush(key);
  }

  #refetchSoon(key: string): void {
    if (key !== this.store.get().current) return;
    clearTimeout(this.#refetches.get(key));
    this.#refetches.set(
      key,
      setTimeout(() => void this.fetchHistory(key).then(() => this.#settle(key)), 60),
    );
  }

  /** Asks after every run that seems to be going on: its end may have been missed, or it was merged into another. */
  async #settle(key: string): Promise<void> {
    for (const run of this.conversation(key).runs.filter(isRunning)) {
      const outcome = await this.#outcome(run.runId);
      if (outcome === 'running') continue;
      this.#change(key, (conversation) => ({
        ...conversation,
        runs: conversation.runs.filter(({ runId, status }) => runId !== run.runId || status === 'failed'),
      }));
      this.#ended(key);
    }
  }

  async #outcome(runId: string): Promise<'running' | 'over'> {
    try {
      const { status } = await this.#deps.request('agent.wait', { runId, timeoutMs: 0 });
      return status === 'ok' || status === 'error' ? 'over' : 'running';
    } catch (cause) {
      return isDisconnected(cause) ? 'running' : 'over';
    }
  }

  #transmitById(id: string): void {
    const message = this.store.get().outbox.find((entry) => entry.id === id);
    if (message) void this.#transmit(message);
  }

  async #transmit(message: Outgoing): Promise<void> {
    if (!this.#deps.connected()) return;
    const key = message.sessionKey;
    try {
      const result = await this.#deps.request(
        'chat.send',
        {
          sessionKey: key,
          message: message.text,
          idempotencyKey: message.id,
          ...(message.steer ? { queueMode: 'steer' } : {}),
          ...(message.files.length > 0 ? { attachments: message.files.map(toAttachment) } : {}),
        },
        { timeoutMs: 120_000 },
      );
      this.#outbox((outbox) => withState(outbox, message.id, 'accepted'));
      this.#accepted(message, result);
    } catch (cause) {
      if (!isDisconnected(cause)) this.#refused(message, messageOf(cause));
    }
  }

  #accepted(message: Outgoing, result: ChatSendResult): void {
    const running = 'status' in result && (result.status === 'started' || result.status === 'in_flight');
    const seen = this.conversation(message.sessionKey).runs.some(({ runId }) => runId === message.id);
    if (!running) return this.#refetchSoon(message.sessionKey);
    if (message.steer || seen) return;
    this.#change(message.sessionKey, (conversation) =>
      withRun(
        conversation,
        startRun({ runId: message.id, sessionKey: message.sessionKey, startedAt: this.#deps.now() }),
      ),
    );
    this.#deps.onRun(message.sessionKey, true);
  }

  #refused(message: Outgoing, reason: string): void {
    const composerFree =
      message.sessionKey === this.store.get().current &&
      this.#deps.keep.draft(message.sessionKey) === '' &&
      !this.store.get().restored;
    if (!composerFree) return this.#outbox((outbox) => withState(outbox, message.id, 'failed', reason));
    this.discard(message.id);
    this.#restore(message, reason);
  }

  #restore(message: Outgoing, reason?: string): void {
    this.store.update((state) => ({
      ...state,
      restored: {
        sessionKey: message.sessionKey,
        text: message.text,
        files: message.files,
        ...(reason === undefined ? {} : { reason }),
      },
    }));
  }

  #flush(key: string): void {
    const { outbox } = this.store.get();
    const sending = outbox.some((message) => message.sessionKey === key && message.state === 'sending');
    const next = nextQueued(outbox, key);
    if (!next || sending || !this.#deps.connected() || isBusy(this.conversation(key))) return;
    this.retry(next.id);
  }

  #dropKnown(key: string, fetchedAt: number): void {
    const conversation = this.conversation(key);
    this.#outbox((outbox) =>
      withKnownDropped(outbox, {
        sessionKey: key,
        known: knownMessages(conversation),
        idleSince: isBusy(conversation) ? undefined : fetchedAt,
      }),
    );
  }

  #change(key: string, change: (conversation: Conversation) => Conversation): void {
    this.store.update((state) => ({
      ...state,
      conversations: { ...state.conversations, [key]: change(state.conversations[key] ?? emptyConversation(key)) },
    }));
  }

  #outbox(change: (outbox: Outbox) => Outbox): void {
    const outbox = change(this.store.get().outbox);
    if (outbox === this.store.get().outbox) return;
    this.store.update((state) => ({ ...state, outbox }));
    this.#deps.keep.saveOutbox(outbox);
  }
}
