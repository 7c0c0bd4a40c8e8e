/** `gateway status`: shows whether a gateway is running and whether this machine can connect to it. */
import type { Call } from '../command.ts';
import { columns } from '../columns.ts';
import { span } from '../durations.ts';
import { troubles, type GatewayFacts } from '../gateway-facts.ts';

export async function gatewayStatus(call: Call): Promise<void> {
  const link = await call.gateway();
  const facts = await link.request<GatewayFacts>('status', {});
  const { version, phase, uptimeMs, connections, rssBytes } = facts;
  if (call.flags.has('json'))
    return call.io.out(
      JSON.stringify(
        { url: link.url, version, phase, uptimeMs, connections, rssBytes, troubles: troubles(facts) },
        null,
        2,
      ),
    );
  call.io.out(
    columns([
      ['gateway', link.url],
      ['version', version],
      ['phase', `${phase}, up ${span(uptimeMs)}`],
      ['clients', String(connections)],
      ['memory', `${Math.round(rssBytes / 1_048_576)} MiB`],
      ...troubles(facts).map((line) => ['trouble', line]),
    ]),
  );
}
