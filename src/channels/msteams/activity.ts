/** The parts of Bot Connector activities that are used here. All of it is untrusted. */
import { parseJson } from '../../sdk/index.ts';

export interface Activity {
  readonly type?: string;
  readonly id?: string;
  readonly name?: string;
  readonly timestamp?: string;
  readonly serviceUrl?: string;
  readonly channelId?: string;
  readonly text?: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly replyToId?: string;
  readonly from?: {
    readonly id?: string;
    readonly name?: string;
    readonly aadObjectId?: string;
    readonly role?: string;
  };
  readonly recipient?: { readonly id?: string; readonly name?: string };
  readonly conversation?: {
    readonly id?: string;
    readonly name?: string;
    readonly conversationType?: string;
    readonly tenantId?: string;
  };
  readonly channelData?: {
    readonly tenant?: { readonly id?: string };
    readonly team?: { readonly id?: string; readonly name?: string };
    readonly channel?: { readonly id?: string; readonly name?: string };
    readonly eventType?: string;
  };
  readonly entities?: readonly Entity[];
  readonly attachments?: readonly RawAttachment[];
  readonly reactionsAdded?: readonly { readonly type?: string }[];
}

export interface Entity {
  readonly type?: string;
  readonly text?: string;
  readonly mentioned?: { readonly id?: string; readonly name?: string };
}

export interface RawAttachment {
  readonly contentType?: string;
  readonly contentUrl?: string;
  readonly content?: unknown;
  readonly name?: string;
}

/** Undefined: it is none. */
export function readActivity(body: Buffer): Activity | undefined {
  const read = parseJson(body.toString('utf8'));
  return typeof read === 'object' && read !== null && typeof (read as Activity).type === 'string' ? read : undefined;
}
