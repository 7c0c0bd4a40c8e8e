/** The `gateway` slice of the configuration. */
import { z } from 'zod';
import { namesVariable } from '../config/env-substitute.ts';
import { isExposedBeyondLoopback, refusalOf, shortSecret } from '../config/secret-length.ts';
import { DEFAULT_PORT } from '../core/product.ts';

const auth = z
  .object({
    mode: z
      .enum(['token', 'password', 'none', 'trusted-proxy'])
      .default('token')
      .describe(
        'Shared secret that clients must send. `none` and `trusted-proxy` are accepted in files of other ' +
          'releases and mean `token` here: the gateway is never open.',
      ),
    token: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Shared token. If missing, one is generated and stored in the state directory. At least 24 characters ' +
          'where others than this machine reach the gateway.',
      ),
    password: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Shared password, used when `mode` is `password`. At least 12 characters where others than this ' +
          'machine reach the gateway.',
      ),
  })
  .prefault({});

const controlUi = z
  .object({
    enabled: z.boolean().default(true).describe('Serve the Control UI.'),
    basePath: z.string().default('/').describe('URL path of the Control UI.'),
    allowedOrigins: z
      .array(z.string())
      .default([])
      .describe('Further web origins that may open a WebSocket, e.g. `https://ui.example.com`.'),
    allowInsecureAuth: z
      .boolean()
      .default(false)
      .describe('Let the Control UI connect over plain HTTP from another machine with only the shared secret.'),
    embedSandbox: z
      .enum(['strict', 'scripts', 'trusted'])
      .default('scripts')
      .describe(
        'What documents in answers may do: `strict` no scripts; `scripts` scripts, without an origin of their own; ' +
          "`trusted` with an origin, where `canvasHost.port` gives them one that is not the Control UI's.",
      ),
    allowExternalEmbedUrls: z
      .boolean()
      .default(false)
      .describe('Show https pages of others inside answers, and let documents load from the web.'),
  })
  .prefault({});

const remote = z
  .object({
    url: z
      .string()
      .optional()
      .describe('`ws://` or `wss://` address of the gateway the CLI talks to when `mode` is `remote`.'),
    token: z.string().optional().describe('Token for the remote gateway.'),
    password: z.string().optional().describe('Password for the remote gateway.'),
  })
  .prefault({});

const reload = z
  .object({
    mode: z
      .enum(['hybrid', 'hot', 'restart', 'off'])
      .default('hybrid')
      .describe(
        'What to do when the file changes: apply live and restart if needed, apply live only, always restart, ' +
          'or nothing.',
      ),
    debounceMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(300)
      .describe('Milliseconds to wait after the last change before the file is read.'),
  })
  .prefault({});

export const gatewayConfigSchema = z
  .object({
    port: z
      .number()
      .int()
      .min(0)
      .max(65535)
      .default(DEFAULT_PORT)
      .describe('Port of HTTP and WebSocket; 0 lets the system choose.'),
    mode: z
      .enum(['local', 'remote'])
      .default('local')
      .describe('`remote`: the CLI on this machine uses the gateway at `remote.url`.'),
    bind: z
      .enum(['loopback', 'lan', 'tailnet', 'auto', 'custom'])
      .default('loopback')
      .describe('Which addresses the gateway listens on.'),
    customBindHost: z.string().optional().describe('IP address to listen on when `bind` is `custom`.'),
    auth,
    trustedProxies: z
      .array(z.string())
      .default([])
      .describe('IP addresses of reverse proxies whose forwarding headers are trusted.'),
    controlUi,
    http: z.object({}).prefault({}),
    remote,
    reload,
  })
  .prefault({})
  .check((ctx) => {
    // A bad custom address must never widen to every interface, so it is an error here and not a fallback later.
    if (ctx.value.bind === 'custom' && !isIpAddress(ctx.value.customBindHost))
      ctx.issues.push({
        code: 'custom',
        path: ['customBindHost'],
        input: ctx.value.customBindHost,
        message: 'must be an IP address when gateway.bind is "custom"',
      });
    ctx.issues.push(...guessable(ctx.value));
  });

export type GatewayConfig = z.output<typeof gatewayConfigSchema>;

interface Opened {
  readonly bind: string;
  readonly customBindHost?: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly auth: z.output<typeof auth>;
}

/**
 * A file that opens the gateway to others with a secret they could guess is not in force. A variable that was not there
 * is reported as such.
 */
function guessable(gateway: Opened): z.core.$ZodRawIssue[] {
  const kind = gateway.auth.mode === 'password' ? 'password' : 'token';
  const secret = gateway.auth[kind];
  const found =
    secret === undefined || namesVariable(secret) || !isExposedBeyondLoopback(gateway)
      ? undefined
      : shortSecret(kind, secret);
  return found ? [{ code: 'custom', path: ['auth', kind], input: undefined, message: refusalOf(found) }] : [];
}

function isIpAddress(text: string | undefined): boolean {
  return text !== undefined && (z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success);
}
