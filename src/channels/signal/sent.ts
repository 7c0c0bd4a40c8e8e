/**
 * The bot's last messages in each chat, because signal-cli has no history. A send without a response is confirmed by
 * the receipt for its timestamp.
 */
import { createSerialQueue, pause, setNewest, type ChatAddress } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import { messageId } from './ids.ts';

export interface Sent {
  /** It was sent at `at`; resolves once that survives a crash. `token`: of the message, where it is one. */
  note(chat: string, at: number, token?: string): Promise<void>;
  /** Sent by another device of the account: of no interest, but to tell receipts apart. */
  elsewhere(chat: string, at: number): void;
  /** A phone confirms messages, each by its time. */
  confirmed(person: string, times: readonly number[]): void;
  /** The ids of a send of unknown outcome; undefined: nobody can tell. */
  readBack(to: ChatAddress, token: string, since: number, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

interface Last {
  readonly at: number;
  readonly token: string | undefined;
}

const FILE = 'sent.json';
const MAX_CHATS = 500;
const MAX_TIMES = 20;
/** A phone that is online confirms within moments. */
const WAIT_MS = 3000;
const STEP_MS = 100;
const TOLERANCE_MS = 60_000;

export async function openSent(stateDir: string): Promise<Sent> {
  const kept = await readState(stateDir, FILE);
  const last = new Map<string, Last>(Array.isArray(kept) ? kept.filter(isEntry) : []);
  const receipts = new Map<string, readonly number[]>();
  const writes = createSerialQueue();

  const found = (chat: string, since: number): number | undefined => {
    const known = last.get(chat)?.at ?? since - TOLERANCE_MS;
    return receipts.get(chat)?.find((at) => at > known);
  };
  const note = async (chat: string, at: number, token?: string): Promise<void> => {
    setNewest(last, chat, { at, token }, MAX_CHATS);
    await writes.run(() => writeState(stateDir, FILE, [...last]));
  };
  return {
    note,
    elsewhere: (chat, at) => void setNewest(last, chat, { at, token: undefined }, MAX_CHATS),
    confirmed(person, times) {
      const all = [...(receipts.get(person) ?? []), ...times].slice(-MAX_TIMES);
      setNewest(receipts, person, all, MAX_CHATS);
    },
    async readBack({ chat }, token, since, signal) {
      const known = last.get(chat.id);
      if (known?.token === token) return [messageId({ timestamp: known.at })];
      if (chat.kind !== 'direct') return undefined; // receipts do not name a group
      for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
        const at = found(chat.id, since);
        if (at !== undefined) {
          await note(chat.id, at, token);
          return [messageId({ timestamp: at })];
        }
        if (!(await pause(STEP_MS, signal))) break;
      }
      return undefined;
    },
  };
}

const isEntry = (value: unknown): value is [string, Last] =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  typeof (value[1] as Partial<Last> | undefined)?.at === 'number';
