/** A connected client as a feature uses it: its identity, its capabilities, and sending it events. */
import type { ClientInfo, Role } from '../protocol/client-info.ts';

/** What a client said in `connect` that it can do for the gateway; nothing in it is checked. */
export interface ClientOffers {
  readonly caps: readonly string[];
  readonly commands: readonly string[];
  /** By name; true: granted by the person at the client. */
  readonly permissions: Readonly<Record<string, boolean>>;
  /** The search path of the commands it runs. */
  readonly pathEnv?: string | undefined;
}

/** One admitted connection. The same object from its admission to its end. */
export interface ClientLink {
  readonly connId: string;
  readonly role: Role;
  readonly client: ClientInfo;
  /** Proved by its key; absent for clients that came with the shared secret alone. */
  readonly deviceId?: string | undefined;
  readonly ip: string;
  /** It connects from this machine. */
  readonly local: boolean;
  readonly protocol: number;
  /** Milliseconds since the epoch. */
  readonly connectedAt: number;
  readonly offers: ClientOffers;
  /** Sends an event of the feature to this client alone. A client that reads too slowly for it is disconnected. */
  send(event: string, payload: unknown): void;
  /** Bytes it has not taken yet. */
  readonly unread: number;
  /** Resolves when it has taken nearly everything, or is gone. */
  caughtUp(): Promise<void>;
  /** Ends the connection; again: nothing happens. */
  close(code: number, reason: string): void;
  /** Being closed, or closed. */
  readonly closing: boolean;
}

/** Told of connections, in order, in every role. */
export interface ClientWatch {
  /** It has its `hello-ok`, and none of its requests has been read. */
  admitted(link: ClientLink): void;
  /** Once for each that was admitted. */
  left(link: ClientLink): void;
}
