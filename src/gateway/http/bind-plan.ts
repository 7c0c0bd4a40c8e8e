/** Decides which addresses the gateway listens on; if a setting is unclear, on fewer. */
import { isIP } from 'node:net';
import { AppError } from '../../core/errors.ts';
import { isLoopback } from '../auth.ts';
import type { GatewayConfig } from '../config.ts';

export interface BindPlan {
  /** The gateway does not start without it. */
  readonly host: string;
  /** Listened on as well, on the same port, where the machine has it. */
  readonly also: readonly string[];
  /** Nobody but this machine can connect. */
  readonly loopbackOnly: boolean;
}

export interface BindRequest {
  readonly config: Pick<GatewayConfig, 'bind' | 'customBindHost'>;
  /** A token or password is set. */
  readonly secretConfigured: boolean;
  readonly tailnetAddress: () => string | undefined;
}

const LOOPBACK: BindPlan = { host: '127.0.0.1', also: ['::1'], loopbackOnly: true };

/**
 * Throws `AppError('invalid')` for an invalid address, and for a bind address that others can reach without a secret.
 */
export function planBind(request: BindRequest): BindPlan {
  const plan = wantedPlan(request);
  if (plan.loopbackOnly || request.secretConfigured) return plan;
  throw new AppError(
    'invalid',
    `gateway.bind "${request.config.bind}" would open the gateway to other machines without a secret. Set ` +
      'gateway.auth.token or gateway.auth.password, or use gateway.bind "loopback".',
    { details: { path: 'gateway.bind' } },
  );
}

function wantedPlan({ config, tailnetAddress }: BindRequest): BindPlan {
  switch (config.bind) {
    case 'loopback':
    case 'auto':
      return LOOPBACK;
    case 'lan':
      return { host: '0.0.0.0', also: [], loopbackOnly: false };
    case 'tailnet': {
      const host = tailnetAddress();
      return host === undefined ? LOOPBACK : { host, also: ['127.0.0.1'], loopbackOnly: false };
    }
    case 'custom': {
      const host = config.customBindHost ?? '';
      if (isIP(host) === 0)
        throw new AppError(
          'invalid',
          `gateway.customBindHost must be an IP address of this machine, not ${JSON.stringify(host)}.`,
          { details: { path: 'gateway.customBindHost' } },
        );
      return { host, also: [], loopbackOnly: isLoopback(host) };
    }
  }
}
