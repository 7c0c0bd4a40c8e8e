/** Bounded cache of recent messages: which are ours, and their text. */
import { handleOf } from './handles.ts';
import { setNewest } from '../../sdk/index.ts';
import type { RawMessage } from './backend.ts';

export interface Known {
  /** Sent by us; `token`: of the outbox row. */
  sent(guid: string, token: string): void;
  saw(message: RawMessage): void;
  isOurs(guid: string): boolean;
  /** Whether it is the message of another row. */
  isOther(guid: string, token: string): boolean;
  textOf(guid: string): { readonly text: string; readonly senderId?: string } | undefined;
}

const MAX_OWN = 2000;
const MAX_TEXTS = 500;
const MAX_CHARS = 300;

export function createKnown(): Known {
  const own = new Map<string, string | undefined>();
  const texts = new Map<string, { readonly text: string; readonly senderId?: string }>();
  return {
    sent: (guid, token) => void setNewest(own, guid, token, MAX_OWN),
    saw({ guid, fromMe, text, sender }) {
      if (fromMe && !own.has(guid)) setNewest(own, guid, undefined, MAX_OWN);
      const senderId = fromMe ? undefined : handleOf(sender);
      const said = text.slice(0, MAX_CHARS);
      setNewest(texts, guid, senderId === undefined ? { text: said } : { text: said, senderId }, MAX_TEXTS);
    },
    isOurs: (guid) => own.has(guid),
    isOther: (guid, token) => own.get(guid) !== undefined && own.get(guid) !== token,
    textOf: (guid) => texts.get(guid),
  };
}
