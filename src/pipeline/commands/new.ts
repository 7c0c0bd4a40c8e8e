/** `/new [text]`: starts a new session. */
import type { CommandCall } from './command-call.ts';
import type { Command, CommandAnswer } from './command.ts';
import type { CommandHost } from './command-host.ts';
import { modelForNew } from './pick-model.ts';

/** What the model is asked when a person starts over without saying anything. */
export const GREETING =
  'A new session has begun. Greet the person in one or two short sentences, in your own voice, and ask what ' +
  'they would like to do.';

/** Runs inside the session's lane, so that no message comes between the reset and what follows it. */
async function startOver({ args, sessionKey }: CommandCall, host: CommandHost): Promise<CommandAnswer> {
  await host.resetSession(sessionKey);
  const [first = '', ...others] = args.split(/\s+/);
  const wanted = first ? await modelForNew(first, host.models) : undefined;
  const model = wanted === undefined ? undefined : await host.models.choose(sessionKey, wanted);
  const text = model ? others.join(' ') : args;
  return { turn: text || GREETING };
}

export const newCommand: Command = {
  name: 'new',
  does: ['reset', 'session'],
  usage: '/new [model] [message]',
  summary: 'Start a new session; the old transcript stays on disk.',
  group: 'Conversation',
  takesText: true,
  resets: true,
  native: { args: [{ name: 'message', description: 'A model, and a first message' }] },
  run: startOver,
};
export const resetCommand: Command = {
  ...newCommand,
  name: 'reset',
  usage: '/reset [model] [message]',
  summary: 'The same as /new.',
};
