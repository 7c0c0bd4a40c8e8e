/** The security levels of shell commands, as used in the configuration, chats and sessions. */

/** Where commands run. `auto`: in the box of those that have one, else on the machine itself. */
export const EXEC_HOSTS = ['auto', 'sandbox', 'gateway', 'node'] as const;
/** What may run, from strict to open. */
export const SECURITY_LEVELS = ['deny', 'allowlist', 'full'] as const;
/** When approval is requested, from never to always. */
export const ASK_MODES = ['off', 'on-miss', 'always'] as const;
/** Whether commands run outside the sandbox, and whether they then need approval. */
export const ELEVATED_LEVELS = ['off', 'on', 'ask', 'full'] as const;

/** One of `SECURITY_LEVELS`. */
export type SecurityLevel = (typeof SECURITY_LEVELS)[number];
/** One of `ASK_MODES`. */
export type AskMode = (typeof ASK_MODES)[number];
/** One of `ELEVATED_LEVELS`. */
export type ElevatedLevel = (typeof ELEVATED_LEVELS)[number];
