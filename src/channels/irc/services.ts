/** Sends the password to NickServ where SASL is unavailable, and reports its reply. */
import { AppError, type ProblemBoard } from '../../sdk/index.ts';
import type { IrcConfig } from './config.ts';
import type { IrcMessage } from './message.ts';
import { fold } from './names.ts';
import type { Line } from './session.ts';

const NICKSERV = 'NickServ';
const KNOWN = /\b(?:identified|recogni[sz]ed|accepted|logged in)\b/i;
const REFUSED = /\b(?:incorrect|invalid|wrong|denied|failed|not (?:a )?registered|isn't registered)\b/i;

export interface Services {
  /** After SASL knows us nothing is said. */
  identify(line: Line): void;
  take(message: IrcMessage): 'known' | 'refused' | undefined;
}

export function createServices(config: IrcConfig, password: string | undefined, problems: ProblemBoard): Services {
  const state = { asked: false };
  return {
    identify({ wire, who }) {
      state.asked = password !== undefined && !who.account;
      if (!state.asked || password === undefined) return;
      wire.send('PRIVMSG', [NICKSERV, `IDENTIFY ${config.account ?? config.nick} ${password}`]);
    },
    take({ command, nick, params }) {
      if (!state.asked) return undefined;
      const said = params.at(-1) ?? '';
      const fromServices = command === 'NOTICE' && fold(nick) === fold(NICKSERV);
      if (command === '900' || (fromServices && KNOWN.test(said) && !REFUSED.test(said))) {
        state.asked = false;
        problems.set('services', undefined);
        return 'known';
      }
      if (fromServices && REFUSED.test(said)) return 'refused';
      if (command === '401' && fold(params[1] ?? '') === fold(NICKSERV))
        problems.set('services', {
          kind: 'config',
          message: 'There is no NickServ on this network: the bot is logged in with no services.',
          fix: 'Take channels.irc.password away, or wait until the services are back.',
        });
      return undefined;
    },
  };
}

export const refusedByServices = (): AppError =>
  new AppError(
    'auth',
    'NickServ refused the account or its password. Correct channels.irc.account and channels.irc.password.',
  );
