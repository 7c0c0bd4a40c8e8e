/** The caller of a browser call, a session or an operator, and the owner of a tab. */

/** A session of an agent, or the operator at the control service and the command line. */
export type Caller =
  | {
      readonly kind: 'session';
      readonly agentId: string;
      readonly sessionKey: string;
      /** The id of its transcript, which changes with a reset. */
      readonly sessionId: string;
      /** The folder for its files, absolute. */
      readonly files: string;
    }
  | { readonly kind: 'operator'; readonly files: string };

/** The owner of a tab: one transcript of one session. */
export interface TabOwner {
  readonly sessionKey: string;
  readonly sessionId: string;
}

export const ownerOf = (caller: Caller): TabOwner | undefined =>
  caller.kind === 'session' ? { sessionKey: caller.sessionKey, sessionId: caller.sessionId } : undefined;

export const isSameOwner = (a: TabOwner | undefined, b: TabOwner | undefined): boolean =>
  a?.sessionKey === b?.sessionKey && a?.sessionId === b?.sessionId;

/** The key of an owner in maps. */
export const ownerKey = (owner: TabOwner | undefined): string =>
  owner === undefined ? '' : `${owner.sessionKey}\n${owner.sessionId}`;
