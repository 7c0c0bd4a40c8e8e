/** The functions a part of the machine offers to the gateway, and why others are missing. */
import type { Env } from '../platform/env.ts';
import type { NodeHostSettings } from '../config/node-host-file.ts';

/** A command that was not carried out: the code is the protocol's, the message is for the person who asked. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One invoke under way. */
export interface NodeCall {
  /** Fires when the gateway gives it up, or its time is over. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Validates its parameters as untrusted input. Rejects with `NodeError`. */
export type NodeCommand = (params: unknown, call: NodeCall) => Promise<unknown>;

/** What one part of the machine gives. */
export interface Offer {
  /** Name in `caps`; left out where no command works. */
  readonly cap: string;
  readonly commands: Readonly<Record<string, NodeCommand>>;
  /** Command → why it is not offered. */
  readonly unavailable: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, boolean>>;
  /** Ends what its commands started or left open. */
  close?(): Promise<void>;
}

/** What a feature gives besides: the function `offer` of its file `node.ts`. */
export type OfferMore = (machine: NodeMachine) => Promise<Offer>;

/** The machine as the functions access it. */
export interface NodeMachine {
  readonly env: Env;
  readonly settings: NodeHostSettings;
  /** Of the gateway's WebSocket. */
  readonly url: string;
  /** `linux`, `darwin`, `win32`. */
  readonly platform: string;
}

/** None of these commands works, for one reason. */
export const nothing = (cap: string, names: readonly string[], why: string): Offer => ({
  cap,
  commands: {},
  unavailable: Object.fromEntries(names.map((name) => [name, why])),
  permissions: { [cap]: false },
});
