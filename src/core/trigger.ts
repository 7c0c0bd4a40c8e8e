/**
 * The trigger of a turn that no person's message started. It is stored with the row of the turn, so that it survives
 * a crash.
 */

/** The trigger of the turn, by `origin`. */
export type Trigger =
  /** The agent looks whether anything needs a person. `reason`: `interval`, or what woke it. */
  | { readonly origin: 'heartbeat'; readonly reason: string }
  /** One attempt at one scheduled instant of one job. */
  | {
      readonly origin: 'cron';
      readonly jobId: string;
      readonly slotMs: number;
      readonly attempt: number;
      readonly delivers: CronDelivers;
    }
  /** One step of what two sessions say to each other. */
  | {
      readonly origin: 'session';
      readonly exchangeId: string;
      readonly step: ExchangeStep;
      /** The requesting session, if it is another one: its limits also apply to the turn. */
      readonly from?: string;
    }
  /** Requested over HTTP. `hook`: its path; `name`: its display name; `wake`: the main session reads it immediately. */
  | { readonly origin: 'webhook'; readonly hook: string; readonly name?: string; readonly wake?: true }
  | { readonly origin: 'restart' };

/** `auto`: unless the agent said something there itself. `never`: the answer stays in its session. */
export type CronDelivers = 'always' | 'auto' | 'never';

/**
 * `ask`: the first message to the target; `reply`: a turn of the exchange; `announce`: the target may write to its
 * chat; `task`: a sub-agent works; `result`: its requester receives the result.
 */
export type ExchangeStep = 'ask' | 'reply' | 'announce' | 'task' | 'result';

/** What made a turn begin: a person's message, or one of the triggers. */
export type TurnOrigin = 'message' | Trigger['origin'];

/** Without a trigger a person wrote. */
export const originOf = (trigger: Trigger | undefined): TurnOrigin => trigger?.origin ?? 'message';

/** The workspace file that says what an agent is to look after by itself. */
export const HEARTBEAT_FILE = 'HEARTBEAT.md';
/** The agent's token for "nothing needs you". */
export const HEARTBEAT_OK = 'HEARTBEAT_OK';
/** Ends a ping-pong between two sessions. */
export const REPLY_SKIP = 'REPLY_SKIP';
/** Says nothing to the chat after an exchange. */
export const ANNOUNCE_SKIP = 'ANNOUNCE_SKIP';
