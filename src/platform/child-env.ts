/** Builds the environment of programs the gateway runs: the user's, without secrets and gateway variables. */
import { redactText } from './redact.ts';

/** What a child process gets beyond what every child gets. */
export interface ChildEnvOptions {
  /** Names handed on although they would be dropped. */
  readonly pass?: readonly string[];
  /** Added last. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * Of three product generations; and what would change how a child that is Node behaves or make it talk into our
 * channel.
 */
const OURS = /^(?:CLAWDBOT|OPENCLAW|MOLTBOT)_|^NODE_(?:OPTIONS|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID)$/i;
const SECRET_WORD =
  /token|secret|passw|passphrase|credential|cookie|webhook|(?:api|access|account|private|signing|encryption|master)_?key|connection_?str|(?:^|_)(?:key|keys|pass|auth|pat|jwt|dsn|sas)(?:_|$)|_(?:pwd|session)$|^op_session_/i;
/** `postgres://user:password@host`, `https://token@host`; a proxy's own credentials are what makes it work. */
const SECRET_VALUE = /:\/\/[^\s/@]+@/;
const PROXY = /_proxy$/i;

/** Variables by name; `pass` outranks every rule, `extra` everything. */
export function childEnv(
  vars: Readonly<Record<string, string>>,
  { pass = [], extra = {} }: ChildEnvOptions = {},
): Record<string, string> {
  const kept = Object.entries(vars).filter(([name, value]) => pass.includes(name) || isHarmless(name, value));
  return { ...Object.fromEntries(kept), ...extra };
}

function isHarmless(name: string, value: string): boolean {
  if (OURS.test(name) || SECRET_WORD.test(name)) return false;
  return PROXY.test(name) || !(SECRET_VALUE.test(value) || redactText(value) !== value);
}
