/** `fetch check`: whether the gateway would fetch from an address, and which step of the guard decides. */
import type { FetchConfig } from '../../../platform/net/config.ts';
import type { GuardStep } from '../../../platform/net/guard/examine.ts';
import type { Resolve } from '../../../platform/net/guard/resolve.ts';
import { columns } from '../../../cli/columns.ts';
import type { Call } from '../../../cli/command.ts';
import { openConfig } from '../../../cli/config-file.ts';
import { present } from '../../../core/present.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

/** What is printed with `--json`. */
interface FetchCheck {
  readonly url: string;
  readonly ok: boolean;
  readonly why?: string;
  readonly steps: readonly GuardStep[];
  /** Host and port of the proxy it would go through, which may look the name up differently. */
  readonly proxy?: string;
}

/** Exit code 1 when the address is refused. `resolve` is the system's unless a test brings its own. */
export async function fetchCheck(call: Call, resolve?: Resolve): Promise<number> {
  const config = await fetchConfig(call);
  const result = await check(asUrl(call.args[0]!), { config, vars: call.io.env().vars, resolve });
  call.io.out(call.flags.has('json') ? JSON.stringify(result, null, 2) : report(result));
  return result.ok ? 0 : 1;
}

async function fetchConfig({ io }: Call): Promise<FetchConfig> {
  await using store = await openConfig(io.env());
  if (!store.snapshot().valid)
    io.err(`The configuration has errors (\`${OWN_COMMAND} config validate\`); the defaults are used instead.`);
  return (store.current() as { security: { fetch: FetchConfig } }).security.fetch;
}

async function check(
  url: string,
  {
    config,
    vars,
    resolve,
  }: { config: FetchConfig; vars: Readonly<Record<string, string>>; resolve: Resolve | undefined },
): Promise<FetchCheck> {
  const [{ examine }, { DNS_TIMEOUT_MS }, { systemResolve }, proxies] = await Promise.all([
    import('../../../platform/net/guard/examine.ts'),
    import('../../../platform/net/guard/guard.ts'),
    import('../../../platform/net/guard/resolve.ts'),
    import('../../../platform/net/route/user-proxy.ts'),
  ]);
  const { checked, steps } = await examine(url, {
    rules: config,
    resolve: resolve ?? systemResolve,
    dnsTimeoutMs: DNS_TIMEOUT_MS,
  });
  if (!checked.ok) return { url, ok: false, why: checked.why, steps };
  const { protocol, hostname, port } = new URL(url);
  const upstream = proxies.userProxy({ configured: config.proxy, vars });
  const proxy = upstream({ protocol, hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  return present({ url, ok: true, steps, proxy: proxy !== undefined ? proxies.readProxyUrl(proxy).host : undefined });
}

function report({ ok, why, steps, proxy }: FetchCheck): string {
  const rows = steps.map((step) => [
    step.what,
    step.subject,
    step.ok ? `ok${step.detail ? `, because of security.fetch.${step.detail}` : ''}` : 'refused',
  ]);
  if (proxy !== undefined) rows.push(['proxy', proxy, 'looks the name up again by itself']);
  return [columns(rows), '', ok ? 'Allowed: the gateway would fetch it.' : `Blocked: ${why}.`].join('\n');
}

/** A host alone means `https://` of it. */
function asUrl(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return text.split(':').length > 2 && !text.startsWith('[') ? `https://[${text}]/` : `https://${text}/`;
}
