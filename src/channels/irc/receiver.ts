/** Passes messages to the gateway in order per chat, and marks them as read once accepted. */
import { onFailure, present, type ChannelAccount, type Intake } from '../../sdk/index.ts';
import type { IrcConfig } from './config.ts';
import type { Marks } from './history.ts';
import { normalise, roomOf } from './inbound.ts';
import type { IrcMessage } from './message.ts';
import { fold } from './names.ts';
import type { People } from './people.ts';
import type { Line } from './session.ts';

export interface ReceiverDeps {
  readonly account: Pick<ChannelAccount<IrcConfig>, 'accountId' | 'config' | 'receive'>;
  readonly intake: Intake;
  readonly people: People;
  readonly marks: Marks;
  isOurs(id: string): boolean;
}

/** Resolves once it is taken, or of no interest. */
export type Receive = (message: IrcMessage, line: Line) => Promise<void>;

export function createReceive({ account, intake, people, marks, isOurs }: ReceiverDeps): Receive {
  return async (message, line) => {
    const { wire, who } = line;
    if (fold(message.nick) === fold(who.nick) || message.source === '') return;
    const person = people.learn(message);
    if (answersClient(message, line)) return;
    const statusMarks = who.limits.get('STATUSMSG') ?? '@+';
    const found = normalise(message, {
      accountId: account.accountId,
      self: who.nick,
      person,
      isOurs,
      isThere: people.has,
      statusMarks,
      now: Date.now(),
    });
    if (!found || (found.sender.isBot && !account.config.allowBots)) return;
    const taken = intake.take(found.address.chat.id, () => account.receive(found));
    onFailure(taken, () => undefined); // closed on its way: the history has it still
    await taken;
    const time = message.tags.get('time');
    if (time === undefined) return;
    const target = roomOf(message.params[0] ?? '', statusMarks) ?? message.nick;
    const id = message.tags.get('msgid');
    marks.note(present({ target, time, id }));
    if (who.abilities.has('draft/read-marker')) wire.send('MARKREAD', [target, `timestamp=${time}`]);
  };
}

/** What clients ask each other; only in person, as an answer to a room would flood it. */
function answersClient({ nick, params: [target = '', text = ''] }: IrcMessage, { wire, who }: Line): boolean {
  const [, question, more = ''] = /^\u0001(VERSION|PING)(?: ([^\u0001]{0,100}))?\u0001?$/.exec(text) ?? [];
  if (question === undefined) return false;
  if (fold(target) === fold(who.nick))
    wire.send('NOTICE', [nick, `\u0001${question} ${question === 'PING' ? more : 'Clawdbot'}\u0001`]);
  return true;
}
