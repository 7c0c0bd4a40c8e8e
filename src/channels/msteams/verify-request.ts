/** Verifies that an activity comes from the Bot Connector: a signed token for this bot and this service address. */
import type * as jose from 'jose';
import { AppError, httpCall } from '../../sdk/index.ts';
import type { Activity } from './activity.ts';
import { isAllowedHost, type TeamsConfig } from './config.ts';

export interface RequestProof {
  /** Why it is refused: a status and a word for the log; undefined: it is the connector's. */
  refusal(
    authorization: unknown,
    activity: Activity,
  ): Promise<{ readonly status: number; readonly reason: string } | undefined>;
}

type Jose = typeof jose;
type KeySet = ReturnType<Jose['createLocalJWKSet']>;

const SERVICE = 'the key server of the Bot Connector';
const KEYS_MS = 10_000;
const KEEP_MS = 24 * 3600_000;
/** Unknown keys ask for the list again, but not more often: anybody can name one. */
const COOLDOWN_MS = 60_000;
const CLOCK_S = 300;
const PLATFORM = 'msteams';

export async function loadJose(): Promise<Jose> {
  try {
    return await import('jose');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AppError(
      'unsupported',
      'Microsoft Teams needs the package jose, which is not installed. Run `npm install jose` where the gateway is ' +
        'installed.',
      { cause: error },
    );
  }
}

export function createRequestProof(library: Jose, config: TeamsConfig, appId: string): RequestProof {
  const keys: { set?: KeySet; at: number } = { at: -Infinity };

  async function load(): Promise<KeySet> {
    keys.at = performance.now();
    const about = await getJson(config.openIdUrl);
    const uri = about?.['jwks_uri'];
    if (typeof uri !== 'string' || !URL.canParse(uri)) throw new AppError('bad_response', `${SERVICE} names no keys.`);
    const list = await getJson(uri);
    const all = Array.isArray(list?.['keys'])
      ? (list['keys'] as readonly { readonly endorsements?: readonly string[] }[])
      : [];
    // A key vouches for the platforms it names.
    const ours = all.filter(({ endorsements }) => !Array.isArray(endorsements) || endorsements.includes(PLATFORM));
    return (keys.set = library.createLocalJWKSet({ keys: ours as never }));
  }

  async function verified(token: string): Promise<Readonly<Record<string, unknown>>> {
    const fresh = keys.set && performance.now() - keys.at < KEEP_MS ? keys.set : await load();
    const options = { issuer: config.issuer, audience: appId, algorithms: ['RS256'], clockTolerance: CLOCK_S };
    try {
      return (await library.jwtVerify(token, fresh, options)).payload;
    } catch (error) {
      const unknown = error instanceof library.errors.JWKSNoMatchingKey && performance.now() - keys.at > COOLDOWN_MS;
      if (!unknown) throw error;
      return (await library.jwtVerify(token, await load(), options)).payload;
    }
  }

  return {
    async refusal(authorization, activity) {
      const token = /^Bearer ([\w.-]{20,8192})$/.exec(typeof authorization === 'string' ? authorization : '')?.[1];
      if (token === undefined) return { status: 401, reason: 'no token' };
      try {
        const claims = await verified(token);
        if (typeof claims['exp'] !== 'number') return { status: 401, reason: 'token without an end' };
        if (!sameAddress(claims['serviceurl'], activity.serviceUrl)) return { status: 403, reason: 'other service' };
      } catch (error) {
        if (error instanceof library.errors.JOSEError) return { status: 401, reason: error.code };
        if (error instanceof AppError) return { status: 503, reason: error.message };
        throw error;
      }
      return foreign(activity, config);
    },
  };
}

async function getJson(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const answer = await httpCall({ service: SERVICE, url, timeoutMs: KEYS_MS, maxBytes: 1024 * 1024 });
  if (answer.status !== 200) throw new AppError('bad_response', `${SERVICE} answered with ${answer.status}.`);
  return answer.json() as Readonly<Record<string, unknown>> | undefined;
}

const bare = (url: unknown): string | undefined =>
  typeof url === 'string' ? url.replace(/(?<!\/)\/+$/, '') : undefined;
const sameAddress = (one: unknown, other: unknown): boolean => bare(one) !== undefined && bare(one) === bare(other);

/** Signed, but not for us. */
function foreign(activity: Activity, { tenantId, serviceHosts, serviceUrl }: TeamsConfig) {
  const tenant = activity.conversation?.tenantId ?? activity.channelData?.tenant?.id;
  if (tenant?.toLowerCase() !== tenantId.toLowerCase()) return { status: 403, reason: 'other tenant' };
  if (activity.channelId !== PLATFORM) return { status: 403, reason: 'other platform' };
  const known = sameAddress(activity.serviceUrl, serviceUrl) || isAllowedHost(activity.serviceUrl ?? '', serviceHosts);
  return known ? undefined : { status: 403, reason: 'service address not allowed' };
}
