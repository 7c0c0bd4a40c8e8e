/** A command that was not run: a stable code, and a message for the model. */
import type { RefusalCode, ShellOutcome } from '../../core/shell.ts';

export type Refusal = Extract<ShellOutcome, { kind: 'refused' }>;

export const refuse = (code: RefusalCode, message: string): Refusal => ({ kind: 'refused', code, message });
