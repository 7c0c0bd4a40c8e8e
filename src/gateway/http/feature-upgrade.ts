/** Passes an upgraded connection to the feature that serves its path, after checking its token. */
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpAccess, Upgrade } from '../../host/http/surface.ts';
import type { GatewayAuth } from '../auth.ts';
import { openRequest } from './request.ts';

export interface UpgradeParts {
  readonly req: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Throws `AppError('auth' | 'denied' | 'rate_limited')`; the caller of this refuses the upgrade then. */
export function acceptUpgrade(
  { needs, accept }: Upgrade,
  { req, socket, head }: UpgradeParts,
  access: HttpAccess,
  auth: Pick<GatewayAuth, 'clientAddress'>,
): void {
  const request = openRequest(req, new ServerResponse(req), auth.clientAddress(req));
  accept({ req, socket, head, principal: access.authorize(request, needs) });
}
