/** The caller of a browser call, a session or an operator, and the owner of a tab. */

/** A session of an agent, or the operator at the control service and the command line. */
export type Caller =
  | {
      readonly kind: 'session';
      readonly agentId: string;
      readonly sessionKey: string;
      /** Of its transcript: another one after a reset. */
      readonly sessionId: string;
      /** Where files for it are put, absolute. */
      readonly files: string;
    }
  | { readonly kind: 'operator'; readonly files: string };

/** What owns a tab: one transcript of one session. */
export interface TabOwner {
  readonly sessionKey: string;
  readonly sessionId: string;
}

export const ownerOf = (caller: Caller): TabOwner | undefined =>
  caller.kind === 'session' ? { sessionKey: caller.sessionKey, sessionId: caller.sessionId } : undefined;

export const isSameOwner = (a: TabOwner | undefined, b: TabOwner | undefined): boolean =>
  a?.sessionKey === b?.sessionKey && a?.sessionId === b?.sessionId;

/** For maps of what a session is told later. */
export const ownerKey = (owner: TabOwner | undefined): string =>
  owner === undefined ? '' : `${owner.sessionKey}\n${owner.sessionId}`;
