/** The effective policy of a command: the strictest `security` and `ask` of all sources. Pure. */
import { ASK_MODES, SECURITY_LEVELS, type AskMode, type SecurityLevel } from '../../../core/command-levels.ts';

export interface Effective {
  readonly security: SecurityLevel;
  readonly ask: AskMode;
  /** What counts when nobody answers in time. */
  readonly askFallback: SecurityLevel;
}

export interface Sources {
  /** Of the agent: `tools.exec`, made stricter by its own. */
  readonly settings: { readonly security: SecurityLevel; readonly ask: AskMode };
  /** From the model, in whatever spelling: what nobody knows counts as not said. */
  readonly call?: { readonly security?: string | undefined; readonly ask?: string | undefined } | undefined;
  /** From the approvals file. */
  readonly file?:
    | {
        readonly security?: SecurityLevel | undefined;
        readonly ask?: AskMode | undefined;
        readonly askFallback?: SecurityLevel | undefined;
      }
    | undefined;
}

export function effective({ settings, call, file }: Sources): Effective {
  return {
    security: strictest([settings.security, known(SECURITY_LEVELS, call?.security), file?.security]),
    ask: strictestAsk([settings.ask, known(ASK_MODES, call?.ask), file?.ask]),
    askFallback: file?.askFallback ?? 'deny',
  };
}

/** Whether a person must be asked. Security `deny` is no question: nothing runs. */
export function needsApproval({
  ask,
  security,
  proven,
  satisfied,
}: {
  ask: AskMode;
  security: SecurityLevel;
  proven: boolean;
  satisfied: boolean;
}): boolean {
  if (security === 'deny' || ask === 'off') return false;
  return ask === 'always' || (security === 'allowlist' && !(proven && satisfied));
}

/** The levels are listed from strict to open. */
export const strictest = (levels: readonly (SecurityLevel | undefined)[]): SecurityLevel =>
  SECURITY_LEVELS.find((level) => levels.includes(level)) ?? 'deny';

/** The modes are listed from quiet to asking. */
export const strictestAsk = (modes: readonly (AskMode | undefined)[]): AskMode =>
  ASK_MODES.findLast((mode) => modes.includes(mode)) ?? 'always';

export const known = <T extends string>(words: readonly T[], said: string | undefined): T | undefined =>
  words.find((word) => word === said?.trim().toLowerCase());
