/** The command `browser.proxy` of the headless node host, if its owner enabled it. */
import { AppError } from '../../core/errors.ts';
import type { Env } from '../../platform/env.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import { browserConfigSchema, type BrowserConfig } from './config.ts';

/** Facts about the machine from `node run`. */
export interface NodeMachine {
  readonly env: Env;
  /** The `browser` section of `node.json`: false, true, or settings as in the configuration of a gateway. */
  readonly settings: { readonly browser: boolean | Readonly<Record<string, unknown>> };
}

const COMMAND = 'browser.proxy';
const CAP = 'browser';

/** The first call loads and starts it. */
export async function offer({ env, settings }: NodeMachine) {
  const no = (why: string) => ({
    cap: CAP,
    commands: {},
    unavailable: { [COMMAND]: why },
    permissions: { [CAP]: false },
    close: async () => undefined,
  });
  if (settings.browser === false) return no('BROWSER_DISABLED: switched off at the node');
  const config = configOf(settings.browser);
  const missing = await missingBrowser(config, env);
  if (missing !== undefined) return no(`BROWSER_UNAVAILABLE: ${missing}`);
  const proxy = loadOnce(async () => (await import('./node/serve-proxy.ts')).createBrowserProxy({ env, config }));
  return {
    cap: CAP,
    commands: {
      [COMMAND]: async (params: unknown, { signal }: { readonly signal: AbortSignal }) =>
        (await proxy.get()).call(params, signal),
    },
    unavailable: {},
    permissions: { [CAP]: true },
    close: async () => (await proxy.begun)?.close(),
  };
}

function configOf(written: true | Readonly<Record<string, unknown>>): BrowserConfig {
  const read = browserConfigSchema.safeParse(written === true ? {} : written);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AppError('invalid', `node.json: browser.${issue!.path.join('.')}: ${issue!.message}`);
}

async function missingBrowser({ executablePath }: BrowserConfig, { vars }: Env): Promise<string | undefined> {
  try {
    await findBrowser({ executablePath, path: vars['PATH'] });
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return error.message;
    throw error;
  }
}
