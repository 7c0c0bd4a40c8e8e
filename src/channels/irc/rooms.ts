/** Joins the rooms in the settings, rejoins them, and reports why a room cannot be joined and what to do. */
import type { ChannelProblem, ProblemBoard } from '../../sdk/index.ts';
import { fold } from './names.ts';
import type { IrcMessage } from './message.ts';
import type { Wire } from './wire.ts';

export interface Rooms {
  /** A new connection: in none. */
  joinAll(wire: Wire): void;
  /** Those we are not in: after services know us, what took that may go now. */
  joinRest(wire: Wire): void;
  take(message: IrcMessage, own: { readonly nick: string; readonly wire: Wire }): void;
  isIn(room: string): boolean;
}

/** Why a server lets nobody in, by its numeric. */
const REASONS: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  403: ['there is no such channel', 'Correct its name in channels.irc.join.'],
  405: ['the bot is in too many channels', 'Take channels out of channels.irc.join.'],
  437: ['the channel is held back for a while', 'It is tried again with the next connection.'],
  471: ['it is full (+l)', 'Ask its operators.'],
  473: ['it takes an invitation (+i)', 'Have one of its operators invite the bot: /invite <nick> <channel>.'],
  474: ['the bot is banned there (+b)', 'Ask its operators to lift the ban.'],
  475: ['its key is wrong or missing (+k)', 'Write it behind the name in channels.irc.join: "#channel key".'],
  476: ['its name is none the server takes', 'Correct its name in channels.irc.join.'],
  477: [
    'only who is logged in with services may join (+r)',
    'Register the bot with services and set channels.irc.account and password.',
  ],
  489: ['only connections under TLS may join (+S, +z)', 'Turn channels.irc.tls on.'],
  520: ['only operators of the network may join (+O)', 'Take it out of channels.irc.join.'],
};

export function createRooms(wanted: ReadonlyMap<string, string | undefined>, problems: ProblemBoard): Rooms {
  const inside = new Set<string>();
  const keys = new Map([...wanted].map(([room, key]) => [fold(room), { room, key }]));

  const join = (wire: Wire, which: Iterable<string>): void => {
    for (const name of which) {
      const { room, key } = keys.get(name)!;
      wire.send('JOIN', key === undefined ? [room] : [room, key]);
    }
  };
  const report = (room: string, problem: ChannelProblem | undefined): void =>
    problems.set(`room ${fold(room)}`, problem);
  const out = (room: string, what: string, fix: string): void => {
    inside.delete(fold(room));
    report(room, { kind: 'permissions', message: `The bot is not in ${room}: ${what}.`, fix });
  };
  return {
    isIn: (room) => inside.has(fold(room)),
    joinAll(wire) {
      inside.clear();
      join(wire, keys.keys());
    },
    joinRest: (wire) =>
      join(
        wire,
        [...keys.keys()].filter((room) => !inside.has(room)),
      ),
    take({ command, params, nick, source }, own) {
      const [first = '', second = ''] = params;
      const self = fold(nick) === fold(own.nick);
      if (command === 'JOIN' && self) {
        inside.add(fold(first));
        report(first, undefined);
      } else if (command === 'PART' && self)
        out(first, 'it was taken out of it', 'It joins again with the next connection.');
      else if (command === 'KICK' && fold(second) === fold(own.nick))
        out(
          first,
          `${nick || source} kicked it (${params[2] ?? 'no reason'})`,
          'Ask why; it joins again with the next connection, or after `channels restart`.',
        );
      else if (command === 'INVITE' && keys.has(fold(second))) join(own.wire, [fold(second)]);
      else if (keys.has(fold(second)) && REASONS[command]) out(second, ...REASONS[command]);
    },
  };
}
