/** Waits until the running gateway has noticed a changed file, so that the next command sees the change. */
import { join } from 'node:path';
import { readGatewayAddress } from '../config/gateway-address.ts';
import { AppError } from '../core/errors.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import { pause } from '../platform/pause.ts';
import type { Call } from './command.ts';

const MAX_POLLS = 40;
const POLL_MS = 50;

/** `hash`: of the configuration as it was written. Resolves also when no gateway runs here, or when it does not say. */
export async function waitForReload(call: Call, hash: string): Promise<void> {
  if (!(await mayRunHere(call.io.env()))) return;
  try {
    const link = await call.gateway();
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      const seen = await link.request<{ hash?: string }>('config.get', {});
      if (seen.hash === hash) return;
      await pause(POLL_MS);
    }
  } catch (error) {
    // The change itself may restart the gateway or shut us out; the file is written all the same.
    if (!(error instanceof AppError)) throw error;
  }
}

async function mayRunHere(env: Env): Promise<boolean> {
  const locked = (await readTextIfExists(join(env.stateDir, 'gateway.lock'))) !== undefined;
  return locked && (await readGatewayAddress(env)).remoteUrl === undefined;
}
