/** Dependencies of the inbound path. */
import type { TurnDeps } from '../agent/turn/run-turn.ts';
import type { Origins } from '../host/origin-traits.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { AnswersDeps } from './answers.ts';
import type { CommandHost } from './commands/command-host.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { MessageInbox } from './inbox.ts';
import type { RunHub } from './run-hub.ts';
import type { TurnLanes } from './turn-lanes.ts';
import type { TurnRules } from './turn-of.ts';
import type { Understander } from './understood.ts';

export interface MessageRules extends TurnRules {
  queueSettings(row: InboundRow): QueueSettings;
}

export interface InboundDeps {
  /** What turns are run with. */
  readonly turns: TurnDeps;
  /** How messages are parsed, and the context the agent gets with them. */
  readonly texts: MessageRules;
  readonly inbox: MessageInbox;
  readonly lanes: TurnLanes;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly commands: CommandHost;
  readonly understander: Understander;
  readonly notices?: AnswersDeps['notices'];
  readonly bounds: {
    /** May this session be answered into (`session.sendPolicy`, `/send`)? */
    maySend(row: InboundRow): boolean;
    /** Whatever else decides what this message may make the agent do; messages that differ in it never share a turn. */
    rightsKey(row: InboundRow): string;
    /** What features say of the work they begin. */
    readonly origins: Origins;
  };
  /** Writes what nobody answers into the session's transcript, once. */
  note(row: InboundRow, text: string): Promise<void>;
  checkpoint(point: 'understand.before' | 'understand.after', runId: string): void;
}
