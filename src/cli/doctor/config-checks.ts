/** Doctor checks of the configuration: validity, and the secret of the gateway. */
import { readGatewayAddress } from '../../config/gateway-address.ts';
import { isExposedBeyondLoopback, shortSecret, type ExposureSettings } from '../../config/secret-length.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** The gateway's settings that say who could connect. */
const isRequested = (config: unknown): boolean => {
  const {
    bind = 'loopback',
    customBindHost,
    trustedProxies = [],
  } = (config as { gateway?: Partial<ExposureSettings> } | undefined)?.gateway ?? {};
  return isExposedBeyondLoopback({ bind, customBindHost, trustedProxies });
};

export const configChecks: readonly Check[] = [
  {
    name: 'config',
    run: async ({ config: { path, exists, issues, warnings } }) => {
      const [first] = [...issues, ...warnings];
      if (!exists) return ok(`${path} does not exist; the defaults apply`);
      if (!first) return ok(`${path} is valid`);
      const detail = `${first.problem.startsWith(path) ? '' : `${path}: `}${first.path ? `${first.path}: ` : ''}${first.problem}${issues.length + warnings.length > 1 ? ` (and ${issues.length + warnings.length - 1} more)` : ''}`;
      const fix = first.fix ?? `See \`${OWN_COMMAND} config validate\`.`;
      return issues.length > 0 ? fail(detail, fix) : warn(detail, fix);
    },
  },
  {
    name: 'secret',
    run: async ({ env, config: { config } }) => {
      const { token, password } = await readGatewayAddress(env);
      if (token === undefined && password === undefined)
        return ok('none yet; the gateway creates a token on its first start');
      const short = password === undefined ? shortSecret('token', token) : shortSecret('password', password);
      if (!short) return ok('long enough');
      return isRequested(config) ? fail(short.problem, short.fix) : warn(short.problem, short.fix);
    },
  },
];
