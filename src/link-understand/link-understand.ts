/** The command `link-understand`: options in, text on standard output or one line on standard error, exit code out. */
import { AppError, asAppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Env } from '../platform/env.ts';
import { EXIT, failureOf } from './failure.ts';
import { FETCH_RULES_VARIABLE, readFetchRules } from './fetch-rules.ts';
import { HELP, readOptions, type Options } from './options.ts';
import { print } from './understood-link.ts';

export interface LinkUnderstandIo {
  readonly env: Env;
  /** Reads for several calls, and is closed by whoever made it; without it each call has its own. */
  readonly reader?: DocumentReader | undefined;
  version(): string;
  out(text: string): void;
  err(line: string): void;
}

export async function linkUnderstand(args: readonly string[], io: LinkUnderstandIo): Promise<number> {
  let url: URL | undefined;
  try {
    const options = readOptions(args);
    if ('show' in options) io.out(options.show === 'help' ? HELP : io.version());
    else {
      const rules = readFetchRules(io.env.get(FETCH_RULES_VARIABLE));
      url = options.url;
      io.out(await understand(options, { rules, io }));
    }
    return EXIT.ok;
  } catch (error) {
    const { line, exitCode } = failureOf(asAppError(error), url);
    io.err(exitCode === EXIT.usage ? `${line}; see link-understand --help` : line);
    return exitCode;
  }
}

/** Nothing heavy is loaded before a link is really read. */
async function understand(
  options: Options,
  { rules, io }: { rules: ReturnType<typeof readFetchRules>; io: LinkUnderstandIo },
): Promise<string> {
  const deadline = performance.now() + options.timeoutMs;
  const [{ createNetGuard }, { createGuardedFetch }, { userProxy }, { createDocumentReader }, { readLink }] =
    await Promise.all([
      import('../platform/net/guard/guard.ts'),
      import('../platform/net/fetch/guarded-fetch.ts'),
      import('../platform/net/route/user-proxy.ts'),
      import('../documents/document-reader.ts'),
      import('./read-link.ts'),
    ]);
  const reader = io.reader ?? createDocumentReader({ log: silentLog });
  const fetch = createGuardedFetch({
    guard: createNetGuard({ rules: () => rules }),
    userAgent: `link-understand/${io.version()}`,
    upstream: userProxy({ vars: io.env.vars }),
  });
  const cache =
    options.cache === undefined ? undefined : (await import('./link-cache.ts')).createLinkCache(options.cache);
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    return print(
      await readLink(options, {
        fetch,
        reader,
        cache,
        left: () => Math.max(1, Math.round(deadline - performance.now())),
        signal,
        warn: (line) => io.err(`link-understand: ${line}`),
      }),
      options.format,
    );
  } catch (error) {
    // Whoever noticed first counts from another moment; the person set one number.
    if (signal.aborted || (error instanceof AppError && error.code === 'timeout'))
      throw new AppError('timeout', `it took longer than ${options.timeoutMs / 1000} s`, { cause: error });
    throw error;
  } finally {
    if (reader !== io.reader) await reader.close();
  }
}
