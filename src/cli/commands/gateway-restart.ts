/** `gateway restart`: restarts the running gateway in place and waits until it is ready. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { pause } from '../../platform/pause.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { Call } from '../command.ts';
import { span } from '../durations.ts';
import type { GatewayLink } from '../gateway-link.ts';
import { createSpinner } from '../spinner.ts';

const DEFAULT_SECONDS = 60;
const POLL_MS = 200;
const POLL_TIMEOUT_MS = 3000;

export async function gatewayRestart(call: Call): Promise<number> {
  const { io, flags } = call;
  const link = await call.gateway();
  const begun = performance.now();
  const gone = new Promise<void>((resolve) => void link.onEvent((event) => event === 'disconnected' && resolve()));
  await link.request('gateway.restart.request', { delayMs: 0, reason: flags.text('reason') ?? 'gateway restart' });
  const timeout = (flags.number('timeout') ?? DEFAULT_SECONDS) * 1000;
  using spinner = createSpinner(io);
  spinner.say('restarting');
  const version = await backAgain(call, { gone, deadline: begun + timeout });
  spinner.rest();
  const tookMs = Math.round(performance.now() - begun);
  if (flags.has('json')) io.out(JSON.stringify(present({ ok: version !== undefined, tookMs, version })));
  else if (version === undefined)
    io.err(`The gateway did not restart within ${span(timeout)}. See its terminal or log for the reason.`);
  else io.out(`The gateway is back after ${(tookMs / 1000).toFixed(1)} s (version ${version}).`);
  return version === undefined ? 1 : 0;
}

interface Waiting {
  readonly gone: Promise<void>;
  readonly deadline: number;
}

/** The version that answers once the old connection is over; undefined when nothing does in time. */
async function backAgain(call: Call, { gone, deadline }: Waiting): Promise<string | undefined> {
  const left = (): number => deadline - performance.now();
  const over = await settlesWithin(gone, Math.max(0, left()));
  while (over && left() > 0) {
    const link = await tryLink(call);
    if (link) {
      await link.close();
      return link.server.version;
    }
    await pause(POLL_MS);
  }
  return undefined;
}

/** While it restarts it is not there, or takes nobody in. */
async function tryLink({ io, flags }: Call): Promise<GatewayLink | undefined> {
  const [url, token] = [flags.text('url'), flags.text('token')];
  try {
    return await io.connect(present({ url, token, env: io.env(), timeoutMs: POLL_TIMEOUT_MS }));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
