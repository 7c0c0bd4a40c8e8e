/** Connects one account through imsg or BlueBubbles, and wires up this folder's parts. */
import {
  AppError,
  createIntake,
  createProblemBoard,
  markHandled,
  onFailure,
  openWatermark,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type Intake,
  type ReplyPayload,
  type Watermark,
} from '../../sdk/index.ts';
import { plainDialect, renderMarkdown } from '../../sdk/markdown.ts';
import type { Backend, BackendDeps, RawMessage } from './backend.ts';
import type { ImessageConfig } from './config.ts';
import { targetOf } from './handles.ts';
import { normalise } from './inbound.ts';
import { createKnown, type Known } from './known.ts';

type Account = ChannelAccount<ImessageConfig>;

const CLOSE_MS = 4000;
/** Clocks of two machines. */
const CLOCK_MS = 5000;
const ANY_TAPBACK = '👍';
const MAX_TAPBACKS = 1000;

interface Parts {
  readonly account: Account;
  readonly marks: Watermark;
  readonly intake: Intake;
  readonly known: Known;
  readonly state: { begun: Promise<void> | undefined; newest: number };
}

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, log, signal } = account;
  const over = Promise.withResolvers<void>();
  void markHandled(over.promise);
  const problems = createProblemBoard(account.report);
  await using opening = new AsyncDisposableStack();
  const blue = config.serverUrl !== undefined;
  const marks = opening.use(await openWatermark({ ...account, file: blue ? 'bluebubbles.json' : 'imsg.json' }));
  const intake = opening.use(createIntake({ log, closeMs: CLOSE_MS }));
  const parts: Parts = { account, marks, intake, known: createKnown(), state: { begun: undefined, newest: 0 } };
  const on: { backend?: Backend } = {};
  const deps: BackendDeps = {
    account,
    signal,
    cursor: () => (marks.last === undefined ? undefined : Number(marks.last)),
    begin: (cursor) => marks.begin(String(cursor)),
    onMessage: (message) =>
      void take(parts, message, async (chat) => on.backend?.read(targetOf({ chat }, config.service))),
    onUp(self) {
      account.report({ connected: true, alive: true, self: { id: self } });
      problems.set('connection', undefined);
    },
    onDown(error) {
      account.report({ connected: false });
      problems.set('connection', { kind: 'runtime', message: error.message, fix: 'The gateway keeps trying.' });
    },
    onAlive: () => account.report({ alive: true }),
    fail: over.reject,
  };
  const backend = opening.use(
    blue ? await (await import('./blue.ts')).openBlueBubbles(deps) : await (await import('./imsg.ts')).openImsg(deps),
  );
  on.backend = backend;
  account.report({ mode: backend.mode });
  const closing = opening.move();
  return {
    ...abilities(parts, backend),
    ended: over.promise,
    async [Symbol.asyncDispose]() {
      await closing[Symbol.asyncDispose]();
      account.report({ connected: false });
      over.resolve();
    },
  };
}

async function take(
  parts: Parts,
  raw: RawMessage,
  read: (chat: ChatAddress['chat']) => Promise<unknown>,
): Promise<void> {
  const { account, marks, known, intake, state } = parts;
  // Where nothing was taken yet, a crash must not lose what comes first.
  if (marks.last === undefined) state.begun ??= marks.begin(String(raw.cursor - 1));
  // A message that was changed is one of before.
  const taken = marks.came(raw.cursor > state.newest ? String(raw.cursor) : undefined);
  state.newest = Math.max(state.newest, raw.cursor);
  const message = normalise(raw, {
    accountId: account.accountId,
    config: account.config,
    isOurs: known.isOurs,
    textOf: known.textOf,
  });
  known.saw(raw);
  if (!message) return taken();
  const offered = intake.take(message.address.chat.id, async () => {
    await state.begun;
    return account.receive(message);
  });
  onFailure(offered, () => undefined); // closed on its way: it is there still
  await offered.then(
    () => {
      taken();
      if (account.config.sendReadReceipts && message.quiet !== true)
        void unlessRefused(read(message.address.chat), account);
    },
    () => undefined,
  );
}

/** Nothing is lost without it. */
async function unlessRefused(reading: Promise<unknown>, { log }: Account): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.debug('imessage.read', { code: error.code });
  }
}

function abilities({ account, known }: Parts, backend: Backend): Omit<ChannelConnection, typeof Symbol.asyncDispose> {
  const { config } = account;
  const titles = new Map<string, string>();
  const to = (address: ChatAddress) => targetOf(address, config.service);
  return {
    async send(address, { payload, token }) {
      const [media] = payload.media ?? [];
      const file = media && (await account.open(media, config.mediaMaxMb * 1024 * 1024));
      const text = textOf(payload, config);
      if (text === '' && !file) throw new AppError('invalid', 'There is nothing to send: no text and no file.');
      const replyTo = typeof payload.replyTo === 'object' ? payload.replyTo.id : undefined;
      const guid = await backend.send(to(address), {
        text,
        file,
        voice: payload.audioAsVoice === true,
        replyTo,
        token,
      });
      // Messages may give no guid for what it sent; then nothing can refer to it.
      const id = guid ?? `sent:${token}`;
      known.sent(id, token);
      return { messageIds: [id] };
    },
    async readBack(address, token, { payload, since }) {
      const found = await backend.recent(to(address), since - CLOCK_MS);
      const text = textOf(payload, config);
      if (found === undefined || (text === '' && !payload.media?.length)) return undefined;
      const [media] = payload.media ?? [];
      const name = media?.name ?? (media?.from === 'file' ? media.path.split('/').at(-1) : undefined);
      const same = found
        .filter(({ fromMe, guid, at }) => fromMe && !known.isOther(guid, token) && at >= since - CLOCK_MS)
        .filter((one) => (media ? one.files.some((file) => file.name === name) : one.text.trim() === text.trim()))
        .slice(0, 1)
        .map(({ guid }) => guid);
      for (const guid of same) known.sent(guid, token);
      return same;
    },
    edit: (address, id, { payload }) => backend.edit(to(address), id, textOf(payload, config)),
    remove: (address, id) => backend.unsend(to(address), id),
    async react(address, id, emoji, { remove = false } = {}) {
      const away = remove || emoji === '';
      await backend.tapback(to(address), id, { emoji: emoji || titles.get(id) || ANY_TAPBACK, remove: away });
      if (away) titles.delete(id);
      else if (titles.size < MAX_TAPBACKS) titles.set(id, emoji);
    },
    typing: (address) => backend.typing(to(address)),
    download: backend.download,
    probe: backend.probe,
  };
}

function textOf({ text = '', plain }: ReplyPayload, { markdown }: ImessageConfig): string {
  return plain ? text : renderMarkdown(text, plainDialect, { tables: markdown?.tables ?? 'bullets' });
}
