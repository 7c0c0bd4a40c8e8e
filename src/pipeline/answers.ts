/** Replies sent without a model: command answers, and why a message got no reply. */
import { asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { CommandHost } from './commands/command-host.ts';
import { actsOnSession } from './commands/command.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { createNotices, type Ending, type Notices, type NoticesDeps, type CommandReply } from './notices.ts';
import { createRefusals } from './refusals.ts';
import { recordAccess } from './record-access.ts';
import { mayUse, runCommand } from './commands/run-command.ts';

export interface AnswersDeps extends NoticesDeps {
  readonly commands: CommandHost;
  readonly log: Log;
}

export interface Answers {
  /** A message that is nothing but commands; their answers are one. Returns at once. */
  run(row: InboundRow, commands: readonly ReadCommand[]): void;
  /** A command inside a message: its answer is a notice, the message goes its own way. Never rejects. */
  beside(row: InboundRow, command: ReadCommand): Promise<void>;
  readonly notify: Notices['notify'];
}

/** The end of a message that is answered elsewhere, or not at all. */
export const SAID_NOTHING: TurnOutcome = { kind: 'done', text: '', usage: noUsage };

/** Several agents received it; the first of them answers where no particular agent has to. */
const isAnotherAgents = ({ together = 0 }: InboundRow): boolean => together > 0;

export function createAnswers(deps: AnswersDeps): Answers {
  const { journal, hub, log } = deps;
  const notices = createNotices(deps);
  const { notify } = notices;
  const refusals = createRefusals();

  async function runAll(row: InboundRow, commands: readonly ReadCommand[]): Promise<void> {
    const names = commands.map(({ command }) => `/${command.name}`).join(', ');
    const checks = commands.map(({ command }) => mayUse(command, row));
    const refused = checks.every(({ ok }) => !ok);
    for (const check of checks) recordAccess(journal, { id: row.runId, authority: row.authority }, check);
    const ending = refused
      ? ({ state: 'declined', reason: `not allowed to use ${names}` } as const)
      : ({ state: 'answered', reason: names } as const);
    const other = isAnotherAgents(row);
    if (refused && (other || !refusals.notifies(row))) return endQuietly(row, ending);
    try {
      const replies: CommandReply[] = [];
      for (const { command, args } of other ? commands.filter(({ command: each }) => actsOnSession(each)) : commands) {
        const answer = await runCommand(command, { args, row, sessionKey: row.route.sessionKey }, deps.commands);
        if (!('reply' in answer)) return;
        replies.push(present({ text: answer.reply, choices: answer.choices }));
      }
      await (other ? endQuietly(row, ending) : notify([row], joined(replies), ending));
    } catch (error) {
      log.error('command.failed', { command: names, error });
      await notify(
        [row],
        { text: `⚠️ ${names} failed: ${asAppError(error).message}` },
        {
          state: 'failed',
          reason: asAppError(error).message,
        },
      );
    }
  }

  async function endQuietly(row: InboundRow, ending: Ending): Promise<void> {
    await journal.inbound.end([row.seq], ending);
    hub.emit(row.runId, { type: 'ended', outcome: SAID_NOTHING });
  }

  async function beside(row: InboundRow, { command, args }: ReadCommand): Promise<void> {
    if (isAnotherAgents(row) && !actsOnSession(command)) return;
    try {
      recordAccess(journal, { id: row.runId, authority: row.authority }, mayUse(command, row));
      const answer = await runCommand(command, { args, row, sessionKey: row.route.sessionKey }, deps.commands).catch(
        (error: unknown) => ({ reply: `⚠️ /${command.name} failed: ${asAppError(error).message}` }),
      );
      if (!('reply' in answer) || isAnotherAgents(row)) return;
      await notices.beside(row, command.name, answer.reply);
    } catch (error) {
      log.error('inbound.command', { runId: row.runId, error }); // the message itself goes on
    }
  }

  return {
    beside,
    notify,
    run: (row, commands) =>
      void runAll(row, commands).catch((error: unknown) => log.error('inbound.command', { runId: row.runId, error })),
  };
}

/** The answers of several commands are one message, which can ask only one thing. */
const joined = (replies: readonly CommandReply[]): CommandReply =>
  present({
    text: replies.map(({ text }) => text).join('\n'),
    choices: replies.length === 1 ? replies[0]!.choices : undefined,
  });
