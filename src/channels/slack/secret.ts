/** Resolves a required secret. */
import { AppError } from '../../sdk/index.ts';

/** `what`: what it is and where it is set, for people. */
export function secret(credentials: Readonly<Record<string, string>>, key: string, what: string): string {
  const value = credentials[key];
  if (!value) throw new AppError('auth', `Slack needs a secret that is not set. ${what}.`);
  return value;
}
