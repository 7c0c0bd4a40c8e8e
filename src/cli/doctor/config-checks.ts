/** What the doctor looks at in the configuration: validity, and the secret that opens the gateway. */
import { readGatewayAddress } from '../../config/gateway-address.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Characters; shorter secrets can be guessed. */
const SHORT_SECRET = 24;

export const configChecks: readonly Check[] = [
  {
    name: 'config',
    look: async ({ config: { path, exists, issues, warnings } }) => {
      const [first] = [...issues, ...warnings];
      if (!exists) return ok(`${path} does not exist; the defaults are in force`);
      if (!first) return ok(`${path} is valid`);
      const detail = `${first.problem.startsWith(path) ? '' : `${path}: `}${first.path ? `${first.path}: ` : ''}${first.problem}${issues.length + warnings.length > 1 ? ` (and ${issues.length + warnings.length - 1} more)` : ''}`;
      const fix = first.fix ?? 'See `clawdbot config validate`.';
      return issues.length > 0 ? fail(detail, fix) : warn(detail, fix);
    },
  },
  {
    name: 'secret',
    look: async ({ env }) => {
      const { token, password } = await readGatewayAddress(env);
      const secret = password ?? token;
      if (secret === undefined) return ok('none yet; the gateway makes a token when it first starts');
      return secret.length < SHORT_SECRET ? warn(`the gateway's secret has only ${secret.length} characters`, 'Remove `gateway.auth.token`, and a long one is made; or set a longer one.') : ok('long enough');
    },
  },
];
