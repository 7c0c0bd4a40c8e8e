/** An HTTP request as handlers see it, and the paths that a feature serves on the gateway's port. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Principal, Requirement } from '../../core/principal.ts';

/** A request that has passed the guard, its body unread. */
export interface HttpRequest {
  /** Ours, sent back as `x-request-id` and written to the log. */
  readonly id: string;
  readonly method: string;
  /** As sent: percent-encoded, without the query. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly client: ClientAddress;
  /** Fires when the connection closes before the answer was complete. */
  readonly signal: AbortSignal;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Where a caller connects from, trusted proxies taken into account. */
export interface ClientAddress {
  readonly ip: string;
  /** On this machine, without a proxy in between that says otherwise. */
  readonly local: boolean;
}

/** Whatever it throws becomes an answer: an `AppError` by its code, anything else a 500 without details. */
export type Handler = (request: HttpRequest) => void | Promise<void>;

/** Handlers by HTTP method. `GET` serves `HEAD` as well. */
export type HttpMethods = Readonly<Record<string, Handler>>;

/** Who is asking and whether they may. */
export interface HttpAccess {
  /** Throws `AppError('auth' | 'denied' | 'rate_limited')`. */
  authorize(request: HttpRequest, needs: Requirement): Principal;
  /** True for callers on this machine and for those with a valid secret: they may see details. */
  trusts(request: HttpRequest): boolean;
}

/** For callers that are programs and hold a secret of the feature's own. */
export interface ProgramCallers {
  /**
   * A service calls by whatever name the proxy has, and never says which page it is; a browser does. Nobody puts a
   * secret into the address. Throws `AppError('denied')`.
   */
  refusePages(request: Pick<HttpRequest, 'query' | 'headers'>): void;
  /**
   * Lets through whoever sends `secret` as `Authorization: Bearer`, or in the product's own token header. Throws
   * `rate_limited` after too many guesses, `unavailable` when no secret could be right, `auth` for a wrong one.
   */
  demand(request: HttpRequest, secret: string | undefined): void;
}

/** What a feature is handed when the gateway's port is put together. */
export interface HttpSurface {
  readonly access: HttpAccess;
  readonly programs: ProgramCallers;
}

/** The paths something serves on the gateway's port. */
export interface HttpRoutes {
  /** Fixed paths → what is served there. */
  readonly at?: Readonly<Record<string, HttpMethods>>;
  /** Fixed prefixes: the path itself and everything below it; without methods it is a plain 404. */
  readonly under?: Readonly<Record<string, HttpMethods>>;
  /**
   * Paths that come and go with the configuration, asked after all fixed ones. What is found here proves its callers
   * itself: host and origin are not checked for it.
   */
  find?(path: string): HttpMethods | undefined;
  /**
   * Scripts that browsers may install as service workers of the folder they lie in. Of a third party's feature none
   * counts: a worker stands between every later page of its folder and the gateway.
   */
  readonly workers?: readonly string[];
  /** Upgrades of connections, by path; the caller has passed the guard and shown a token with the right `needs`. */
  readonly upgrades?: Readonly<Record<string, Upgrade>>;
  /**
   * Upgrades of paths that come and go. What is found here proves its callers itself: host and origin are not checked
   * for it.
   */
  findUpgrade?(path: string): OpenUpgrade | undefined;
  /** Sources, as a content security policy writes them, that the Control UI may frame besides its own. */
  frames?(): readonly string[];
  /** When the port is closed. */
  close?(): Promise<void>;
}

/** A path that takes over its connection, e.g. for WebSocket. */
export interface Upgrade {
  readonly needs: Requirement;
  /** Owns the socket from now on, and whatever goes wrong on it. */
  accept(upgrade: {
    readonly req: IncomingMessage;
    readonly socket: Duplex;
    readonly head: Buffer;
    readonly principal: Principal;
  }): void;
}

/** A path that takes over its connection and decides by itself who may have it. */
export interface OpenUpgrade {
  /** Owns the socket from now on. Throws `AppError` to refuse it. */
  accept(upgrade: { readonly req: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }): void;
}
