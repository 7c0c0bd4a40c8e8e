/** Runs a command if it is enabled and the sender is allowed; otherwise answers why not. */
import type { Offered } from '../../core/choice.ts';
import { present } from '../../core/present.ts';
import { standingOf } from '../../core/authority.ts';
import { may, reasonOf, type AccessCheck } from '../../core/may.ts';
import type { CommandCall } from './command-call.ts';
import type { Command, CommandAnswer } from './command.ts';
import type { CommandHost } from './command-host.ts';
import type { InboundRow } from './inbound-row.ts';

/** Throws what the command throws. */
export async function runCommand(command: Command, call: CommandCall, host: CommandHost): Promise<CommandAnswer> {
  const check = mayUse(command, call.row);
  if (!check.ok) return { reply: refusal(command, call, check) };
  if (command.gate && !host.settings().commands[command.gate]) {
    return {
      reply: `⚠️ /${command.name} is turned off. Set commands.${command.gate} to true in the configuration to use it.`,
    };
  }
  const answer = await command.run(call, host);
  return 'reply' in answer && call.args.trim() === ''
    ? { ...answer, ...present({ choices: menuOf(command) }) }
    : answer;
}

/**
 * A command that takes one word of a few offers them where it was given none. What changes rights is no number's to
 * decide.
 */
function menuOf({ name, native, changesRights }: Command): Offered | undefined {
  const [arg, ...others] = native?.args ?? [];
  if (!arg?.choices || others.length > 0) return undefined;
  const of = arg.choices.map((word) => ({ label: word, says: `/${name} ${word}` }));
  return { of, ...present({ buttonsOnly: changesRights }) };
}

/** Its thing is the conversation it is used in. */
export const mayUse = (
  { does: [verb, kind] }: Pick<Command, 'does'>,
  { authority }: Pick<InboundRow, 'authority'>,
): AccessCheck => may(authority, verb, { kind, of: { sessionKey: authority.home.sessionKey } });

export const isOwner = ({ row }: CommandCall): boolean => standingOf(row.authority) === 'owner';

/** Why, and what to do about it. */
function refusal(
  { name, does: [, kind] }: Command,
  { row: { authority, message } }: CommandCall,
  check: AccessCheck,
): string {
  const who = `"${message.address.channel}:${message.sender.id}"`;
  if (authority.requester.kind === 'operator') return `⚠️ This client may not use /${name}. ${reasonOf(check)}`;
  if (kind === 'configuration' || kind === 'gateway')
    return (
      `⚠️ Only the owner of this gateway may use /${name}. Add ${who} to commands.ownerAllowFrom, or use ` +
      'the Control UI.'
    );
  return `⚠️ You may not use /${name} here. The owner can add ${who} to the list of senders (allowFrom).`;
}
