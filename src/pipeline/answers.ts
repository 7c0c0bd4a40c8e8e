/** What people are told without a model: the answers of commands, and why a message got none. */
import { partToken } from '../agent/turn/plan-replies.ts';
import { asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { ReplyPayload } from '../core/reply.ts';
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow, NewOutboxRow } from '../journal/rows.ts';
import type { CommandHost } from './commands/command-host.ts';
import { actsOnSession } from './commands/command.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { createRefusals } from './refusals.ts';
import { keepVerdict } from './keep-verdict.ts';
import { mayUse, runCommand } from './commands/run-command.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { RunHub } from './run-hub.ts';

export interface AnswersDeps {
  readonly journal: Journal;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly commands: CommandHost;
  readonly log: Log;
  /** What a notice becomes on its channel. Absent: one message. */
  readonly planNotice?:
    | ((address: ChatAddress, payload: ReplyPayload, messageId: string) => readonly ReplyPayload[])
    | undefined;
}

export interface Answers {
  /** A message that is nothing but commands; their answers are one. Returns at once. */
  run(row: InboundRow, commands: readonly ReadCommand[]): void;
  /** A command inside a message: its answer is a notice, the message goes its own way. Never rejects. */
  beside(row: InboundRow, command: ReadCommand): Promise<void>;
  /** One reply for all of them, to the newest, and their ends, in one commit; then it is sent. They are of one chat. */
  tell(
    rows: readonly InboundRow[],
    text: string,
    ending: { readonly state: 'answered' | 'declined' | 'failed'; readonly reason: string },
  ): Promise<void>;
}

/** The end of a message that is answered elsewhere, or not at all. */
export const SAID_NOTHING: TurnOutcome = { kind: 'done', text: '', usage: noUsage };

/** Several agents were told of it; the first of them speaks for all where no agent has to. */
const isAnotherAgents = ({ together = 0 }: InboundRow): boolean => together > 0;

export function createAnswers(deps: AnswersDeps): Answers {
  return new MessageAnswers(deps);
}

class MessageAnswers implements Answers {
  readonly #deps: AnswersDeps;
  readonly #refusals = createRefusals();

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  run(row: InboundRow, commands: readonly ReadCommand[]): void {
    this.#runAll(row, commands).catch((error: unknown) =>
      this.#deps.log.error('inbound.command', { runId: row.runId, error }),
    );
  }

  async beside(row: InboundRow, { command, args }: ReadCommand): Promise<void> {
    if (isAnotherAgents(row) && !actsOnSession(command)) return;
    try {
      keepVerdict(this.#deps.journal, { id: row.runId, authority: row.authority }, mayUse(command, row));
      const answer = await runCommand(
        command,
        { args, row, sessionKey: row.route.sessionKey },
        this.#deps.commands,
      ).catch((error: unknown) => ({ reply: `⚠️ /${command.name} failed: ${asAppError(error).message}` }));
      if (!('reply' in answer) || isAnotherAgents(row)) return;
      const ids = await this.#deps.journal.outbox.post(this.#noticeRows(row, command.name, answer.reply), []);
      this.#deps.hub.emit(row.runId, { type: 'notice', text: answer.reply });
      for (const id of ids) await this.#deps.sender.send(id);
    } catch (error) {
      this.#deps.log.error('inbound.command', { runId: row.runId, error }); // the message itself goes on
    }
  }

  async tell(rows: readonly InboundRow[], text: string, ending: Parameters<Answers['tell']>[2]): Promise<void> {
    const last = rows.at(-1)!;
    const ids = await this.#deps.journal.outbox.post(
      this.#noticeRows(last, 'notice', text),
      rows.map((row) => ({ seq: row.seq, ...ending })),
    );
    for (const id of ids) await this.#deps.sender.send(id);
    for (const { runId } of rows)
      this.#deps.hub.emit(runId, {
        type: 'ended',
        outcome: { kind: 'done', text, usage: noUsage, ...(runId === last.runId ? {} : { mergedInto: last.runId }) },
      });
  }

  async #runAll(row: InboundRow, commands: readonly ReadCommand[]): Promise<void> {
    const names = commands.map(({ command }) => `/${command.name}`).join(', ');
    const verdicts = commands.map(({ command }) => mayUse(command, row));
    const refused = verdicts.every(({ ok }) => !ok);
    for (const verdict of verdicts)
      keepVerdict(this.#deps.journal, { id: row.runId, authority: row.authority }, verdict);
    const ending = refused
      ? ({ state: 'declined', reason: `not allowed to use ${names}` } as const)
      : ({ state: 'answered', reason: names } as const);
    const other = isAnotherAgents(row);
    if (refused && (other || !this.#refusals.tells(row))) return this.#endQuietly(row, ending);
    try {
      const replies: string[] = [];
      for (const { command, args } of other ? commands.filter(({ command: each }) => actsOnSession(each)) : commands) {
        const answer = await runCommand(command, { args, row, sessionKey: row.route.sessionKey }, this.#deps.commands);
        if (!('reply' in answer)) return;
        replies.push(answer.reply);
      }
      await (other ? this.#endQuietly(row, ending) : this.tell([row], replies.join('\n'), ending));
    } catch (error) {
      this.#deps.log.error('command.failed', { command: names, error });
      await this.tell([row], `⚠️ ${names} failed: ${asAppError(error).message}`, {
        state: 'failed',
        reason: asAppError(error).message,
      });
    }
  }

  async #endQuietly(row: InboundRow, ending: Parameters<Answers['tell']>[2]): Promise<void> {
    await this.#deps.journal.endInbound([row.seq], ending);
    this.#deps.hub.emit(row.runId, { type: 'ended', outcome: SAID_NOTHING });
  }

  /** Words of ours, as the messages the channel can take. */
  #noticeRows(row: InboundRow, place: string, text: string): readonly NewOutboxRow[] {
    const payload: ReplyPayload = { kind: 'notice', text };
    const parts = this.#deps.planNotice?.(row.route.replyTo, payload, row.message.id) ?? [payload];
    return parts.map((part, index) => ({
      token: partToken(`${row.runId}:${place}`, index),
      runId: row.runId,
      sessionKey: row.route.sessionKey,
      address: row.route.replyTo,
      payload: part,
    }));
  }
}
