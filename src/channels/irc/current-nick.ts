/** Finds the current nick of a person, so that nothing is sent to somebody else who took the old one. */
import { AppError } from '../../sdk/index.ts';
import { fold } from './names.ts';
import type { People } from './people.ts';
import type { Requests } from './requests.ts';
import type { Line } from './session.ts';

export async function nickOf(
  person: string,
  line: Line,
  { people, requests }: { readonly people: People; readonly requests: Requests },
): Promise<string> {
  const known = people.nickOf(person);
  if (known?.fresh) return known.nick;
  const current = known?.nick ?? person.split('!', 1)[0]!;
  const answer = await requests.ask(line.wire, (wire) => wire.send('WHOIS', [current]));
  const of = (command: string) =>
    answer.find((one) => one.command === command && fold(one.params[1] ?? '') === fold(current))?.params;
  const [, nick, user, host] = of('311') ?? [];
  const account = of('330')?.[2];
  const source = `${nick}!${user}@${host}`;
  const isThem = person.includes('!') ? fold(source) === person : account !== undefined && fold(account) === person;
  if (nick === undefined || !isThem)
    throw new AppError(
      'unavailable',
      `${person} is not on the network now, or not logged in with services. It is tried again.`,
    );
  people.know(nick, source, person.includes('!') ? undefined : account);
  return nick;
}
