/** Audit rules about hooks: whether their token can be guessed. */
import type { Rule } from '../../cli/security/finding.ts';
import { shortSecret } from '../../config/secret-length.ts';
import { TOKEN, type HooksConfig } from './config.ts';

const token: Rule = ({ config }) => {
  const { hooks } = config as unknown as { readonly hooks: HooksConfig };
  const short = hooks.enabled ? shortSecret(TOKEN, hooks.token) : undefined;
  return short
    ? [
        {
          level: 'warn',
          path: short.path,
          problem: `Anyone who guesses it can start agent runs: ${short.problem}.`,
          fix: short.fix,
        },
      ]
    : [];
};

export const rules: readonly Rule[] = [token];
