/** Sends the bot's messages: rendered, split into lines, at a limited rate, with the outcome of each. */
import { createHash, randomUUID } from 'node:crypto';
import { AppError, createSerialQueue, pause, type ChatAddress, type OutboundMessage } from '../../sdk/index.ts';
import { plainDialect, renderMarkdown } from '../../sdk/markdown.ts';
import type { IrcConfig } from './config.ts';
import { refusalOf } from './errors.ts';
import { hasCodes, ircDialect, withoutCodes } from './formatting.ts';
import { fold, isRoom } from './names.ts';
import type { Pace } from './pace.ts';
import type { Requests } from './requests.ts';
import type { Line } from './session.ts';
import { splitText } from './split.ts';

export interface SendDeps {
  readonly config: IrcConfig;
  readonly pace: Pace;
  readonly requests: Requests;
  readonly signal: AbortSignal;
  /** Rejects while there is no connection. */
  line(): Promise<Line>;
  /** The nick of a person now. Rejects where they are not there. */
  nickOf(person: string, line: Line): Promise<string>;
  onSent(id: string): void;
}

/** A line with its end, of which the server makes `:nick!user@host PRIVMSG target :text`. */
const LINE_BYTES = 510;
/** The longest user name and host that servers pass on. */
const USER_AND_HOST_BYTES = 12 + 65;
const TRIES = 3;
/** A client's own tag, which servers with a history keep: by it a send is found again. */
export const TOKEN_TAG = '+clawdbot/send';

export const tokenOf = (token: string, part: number): string =>
  `${createHash('sha256').update(token).digest('hex').slice(0, 24)}.${part}`;

export const targetOf = async (to: ChatAddress, line: Line, deps: Pick<SendDeps, 'nickOf'>): Promise<string> =>
  isRoom(to.chat.id) ? to.chat.id : deps.nickOf(to.chat.id, line);

export function createSend(
  deps: SendDeps,
): (to: ChatAddress, message: OutboundMessage) => Promise<{ readonly messageIds: readonly string[] }> {
  const queue = createSerialQueue();
  return (to, message) =>
    queue.run(async () => {
      const line = await deps.line();
      const target = await targetOf(to, line, deps);
      const lines = splitText(textOf(message, deps.config), roomFor(target, line));
      if (lines.length === 0) throw new AppError('invalid', 'There is nothing to send: the message has no text.');
      const messageIds: string[] = [];
      for (const [part, text] of lines.entries())
        messageIds.push(await one({ deps, target, text, message, part, line: await deps.line() }));
      return { messageIds };
    });
}

function textOf({ payload: { text = '', plain } }: OutboundMessage, config: IrcConfig): string {
  if (plain) return text;
  const tables = config.markdown?.tables ?? 'code';
  return renderMarkdown(text, ircDialect, { tables }) || renderMarkdown(text, plainDialect, { tables });
}

const roomFor = (target: string, { who }: Line): number =>
  LINE_BYTES - USER_AND_HOST_BYTES - Buffer.byteLength(`:${who.nick}!@ PRIVMSG ${target} :`);

interface One {
  readonly deps: SendDeps;
  readonly target: string;
  readonly text: string;
  readonly message: OutboundMessage;
  readonly part: number;
  readonly line: Line;
}

/** A line behind the first waits where the server asks to: the message has begun and is not begun again. */
async function one(it: One): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await put(it, it.text);
    } catch (error) {
      const wait = error instanceof AppError && error.code === 'rate_limited' && it.part > 0 && tries < TRIES;
      if (!wait || !(await pause(error.retryAfterMs ?? 0, it.deps.signal))) throw error;
    }
  }
}

async function put({ deps, target, message, part, line }: One, text: string): Promise<string> {
  await deps.pace.turn(deps.signal);
  const { abilities, nick } = line.who;
  const label = abilities.has('labeled-response') ? randomUUID().slice(0, 12) : undefined;
  const { replyTo } = message.payload;
  const reply = typeof replyTo === 'object' && part === 0 ? replyTo.id : undefined;
  const tags = abilities.has('message-tags')
    ? { '+draft/reply': reply, [TOKEN_TAG]: tokenOf(message.token, part) }
    : {};
  const received = await deps.requests.ask(line.wire, (wire) =>
    wire.send('PRIVMSG', [target, text], { label, ...tags }),
  );
  const refused = refusalOf(received, target);
  if (refused?.formatting && hasCodes(text))
    return put({ deps, target, text, message, part, line }, withoutCodes(text));
  if (refused) throw refused.error;
  const echo = received.find(
    ({ command, params, nick: by, tags: echoed }) =>
      command === 'PRIVMSG' &&
      fold(by) === fold(nick) &&
      (label === undefined ? params[1] === text : echoed.get('label') === label),
  );
  const id = echo?.tags.get('msgid') ?? randomUUID();
  deps.onSent(id);
  return id;
}
