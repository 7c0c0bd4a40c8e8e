/** Decides whether a conversation must be summarized before the next request. */

export interface ContextFill {
  /** Of the next request: system prompt, history and the new message. */
  readonly tokens: number;
  readonly contextWindow: number;
  /** Kept free for the answer. */
  readonly reserve: number;
}

/** A small model's window is never reserved by more than half: there must be room for a conversation at all. */
export const shouldCompact = ({ tokens, contextWindow, reserve }: ContextFill): boolean =>
  tokens > contextWindow - Math.min(reserve, Math.floor(contextWindow / 2));
