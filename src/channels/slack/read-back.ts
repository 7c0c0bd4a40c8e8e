/** Finds out whether a send arrived: searches the chat's history for its token, or for the file's name. */
import { AppError, type ChannelConnection, type ReplyPayload, present } from '../../sdk/index.ts';
import { listOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { SlackSettings } from './config.ts';
import type { Directs } from './directs.ts';
import { threadOf } from './send.ts';

/** Clocks differ; a message cannot have come before it was sent. */
const EARLIER_MS = 60_000;
/** Less for files: one of the same name may have been sent shortly before. */
const FILE_EARLIER_MS = 5_000;
const PAGES = 3;

export function createReadBack({
  api,
  directs,
  config,
  selfId,
}: {
  readonly api: Api;
  readonly directs: Directs;
  readonly config: SlackSettings;
  readonly selfId: string;
}): NonNullable<ChannelConnection['readBack']> {
  return async (to, token, { payload, since }) => {
    if (to.via !== undefined && !payload.media?.length) return undefined;
    const channel = await directs.channelOf(to.chat);
    const thread = threadOf(to, payload, config);
    const oldest = ((since - (payload.media?.length ? FILE_EARLIER_MS : EARLIER_MS)) / 1000).toFixed(6);
    const tests = {
      isIt: (message: Answer): boolean => tokenOf(message) === token || isFile(message, payload, selfId),
      mayBe: (message: Answer): boolean =>
        !payload.media?.length &&
        message['user'] === selfId &&
        listOf(message['files']).length === 0 &&
        tokenOf(message) === undefined,
    };
    const inThread =
      thread === undefined
        ? []
        : await search(api, { method: 'conversations.replies', args: { channel, ts: thread, oldest }, ...tests });
    if (inThread === undefined || inThread.length > 0) return inThread;
    return search(api, { method: 'conversations.history', args: { channel, oldest }, ...tests });
  };
}

const tokenOf = (message: Answer): string | undefined =>
  textOf(recordOf(recordOf(message['metadata'])['event_payload'])['token']);

interface Search {
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  isIt(message: Answer): boolean;
  /** One of ours whose token is not shown: it could be any. */
  mayBe(message: Answer): boolean;
}

/** Undefined: it may not be read, or is too much to read. */
async function search(api: Api, { method, args, isIt, mayBe }: Search): Promise<readonly string[] | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const answer = await readable(() =>
      api.call(method, {
        ...args,
        limit: 200,
        include_all_metadata: true,
        ...present({ cursor: cursor || undefined }),
      }),
    );
    if (!answer) return undefined;
    const messages = answer === 'gone' ? [] : listOf(answer['messages']);
    const found = messages.filter(isIt).flatMap(({ ts }) => textOf(ts) ?? []);
    cursor = answer === 'gone' ? undefined : textOf(recordOf(answer['response_metadata'])['next_cursor']);
    if (found.length > 0) return found;
    if (messages.some(mayBe)) return undefined;
    if (!cursor) return [];
  }
  return undefined;
}

async function readable(run: () => Promise<Answer>): Promise<Answer | 'gone' | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return undefined;
    if (error instanceof AppError && error.code === 'not_found') return 'gone';
    throw error;
  }
}

/** Files carry no token: ours, with that name, since then. */
function isFile(message: Answer, { media }: ReplyPayload, selfId: string): boolean {
  const [wanted] = media ?? [];
  if (!wanted || message['user'] !== selfId) return false;
  const name =
    wanted.name ?? (wanted.from === 'file' ? wanted.path : new URL(wanted.url).pathname).split(/[/\\]/).at(-1);
  return listOf(message['files']).some((file) => file['name'] === name || file['title'] === name);
}
