/** Discord's REST API: reads are retried by the library; writes are tried once and report their outcome. */
import { REST, type RawFile } from '@discordjs/rest';
import { present } from '../../sdk/index.ts';
import { discordError } from './errors.ts';
import { createTransport } from './transport.ts';

export interface ApiCall {
  readonly body?: unknown;
  readonly files?: readonly RawFile[];
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** For Discord's audit log. */
  readonly reason?: string | undefined;
  /** The body goes as fields of the form beside the files. */
  readonly appendToForm?: true;
  /** False: the address is proof enough, e.g. an interaction's. */
  readonly auth?: false;
}

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Rejects with `AppError`; `doing` tells people what was attempted. */
export type Call = <T = unknown>(verb: Verb, route: `/${string}`, doing: string, call?: ApiCall) => Promise<T>;

export interface DiscordApi extends AsyncDisposable {
  readonly call: Call;
  /** For the gateway library, which asks where to connect. */
  readonly rest: REST;
}

const READ_TIMEOUT_MS = 15_000;
/** Uploads of ten megabytes over a slow line. */
const WRITE_TIMEOUT_MS = 60_000;

/** `onAuth` is told when the token is refused. */
export function createApi({
  token,
  apiRoot,
  onAuth,
}: {
  readonly token: string;
  readonly apiRoot: string;
  onAuth(): void;
}): DiscordApi {
  const transport = createTransport();
  const shared = {
    api: apiRoot.replace(/(?<!\/)\/+$/, ''),
    version: '10',
    makeRequest: transport.makeRequest,
    userAgentAppendix: 'clawdbot',
  };
  const reads = new REST({ ...shared, retries: 2, timeout: READ_TIMEOUT_MS }).setToken(token);
  const writes = new REST({ ...shared, retries: 0, timeout: WRITE_TIMEOUT_MS, rejectOnRateLimit: () => true }).setToken(
    token,
  );
  const call: Call = async (verb, route, doing, { query, files, body, signal, reason, auth, appendToForm } = {}) => {
    try {
      return (await (verb === 'get' ? reads : writes)[verb](route, {
        ...present({
          query: query ? queryOf(query) : undefined,
          files: files ? [...files] : undefined,
          body,
          signal,
          reason: reason || undefined,
          auth: auth === false ? auth : undefined,
          appendToFormData: appendToForm ? true : undefined,
        }),
      })) as never;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = discordError(error, doing);
      if (failure.code === 'auth') onAuth();
      throw failure;
    }
  };
  return {
    call,
    rest: reads,
    async [Symbol.asyncDispose]() {
      for (const rest of [reads, writes]) {
        rest.clearHashSweeper();
        rest.clearHandlerSweeper();
      }
      await transport[Symbol.asyncDispose]();
    },
  };
}

function queryOf(query: NonNullable<ApiCall['query']>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)] as [string, string]],
    ),
  );
}
