/** What would be done with the links of a text, link by link, without running anything. */
import type { LinksConfig } from '../../../config/understanding-config.ts';
import { present } from '../../../core/present.ts';
import { findProgram } from '../../../platform/exec.ts';
import type { NetGuard } from '../../../platform/net/guard/guard.ts';
import { detectLinks } from '../../../pipeline/understanding/links/detect/detect.ts';
import { commandLine, type OwnPrograms } from '../../../pipeline/understanding/links/link-command.ts';
import { linkScope, linkSettings, type LinkSettings } from '../../../pipeline/understanding/links/settings.ts';

export interface ExplainDeps {
  readonly guard: Pick<NetGuard, 'check'>;
  readonly path: string | undefined;
  readonly ownPrograms: OwnPrograms;
}

export interface ExplainRequest {
  readonly text: string;
  readonly config: LinksConfig | undefined;
  readonly place: Parameters<typeof linkScope>[1];
  readonly context: Parameters<typeof commandLine>[1]['context'];
}

export interface LinksExplained {
  readonly enabled: boolean;
  /** What the scope says; absent while links are off. */
  readonly scope?: ReturnType<typeof linkScope>;
  readonly links: readonly ExplainedLink[];
}

export interface ExplainedLink {
  readonly url: string;
  readonly detected: boolean;
  /** Why it is not read; absent for a link that is. */
  readonly why?: string;
  /** What the guard found: addresses, or the reason of a refusal. Absent for what was not detected. */
  readonly guard?: { readonly ok: boolean; readonly addresses?: readonly string[]; readonly why?: string };
  /** Tried in order until one prints something. */
  readonly runs: readonly { readonly argv: readonly string[]; readonly found: boolean }[];
}

/** Links in a report. */
const MAX_LINKS = 50;

/** Asks DNS; starts no program. */
export async function explainLinks(request: ExplainRequest, deps: ExplainDeps): Promise<LinksExplained> {
  const settings = linkSettings(request.config);
  const scope = settings && linkScope(settings, request.place);
  const off = !settings ? 'links are off' : scope?.action === 'deny' ? 'the scope denies it here' : undefined;
  const links: ExplainedLink[] = [];
  let places = settings?.maxLinks ?? 3;
  for (const { url, reason } of detectLinks(request.text, { limit: MAX_LINKS, explain: true })) {
    if (reason) links.push({ url, detected: false, why: reason, runs: [] });
    else {
      const link = await explainOne(url, {
        off: off ?? (places <= 0 ? `the maxLinks limit (${settings?.maxLinks ?? 3}) is reached before it` : undefined),
        settings,
        request,
        deps,
      });
      if (link.guard?.ok) places--;
      links.push(link);
    }
  }
  return present({ enabled: settings !== undefined, scope, links });
}

interface One {
  readonly off: string | undefined;
  readonly settings: LinkSettings | undefined;
  readonly request: ExplainRequest;
  readonly deps: ExplainDeps;
}

async function explainOne(url: string, { off, settings, request, deps }: One): Promise<ExplainedLink> {
  const checked = await deps.guard.check(url);
  const guard = checked.ok
    ? { ok: true, addresses: checked.addresses.map(({ address }) => address) }
    : { ok: false, why: checked.why };
  const why = off ?? (guard.ok ? undefined : 'the guard refuses it');
  if (why !== undefined || !settings) return { url, detected: true, ...present({ why }), guard, runs: [] };
  const context = { ...request.context, LinkUrl: url };
  const runs = settings.entries.map(async (entry) => {
    const { command, args } = await commandLine(entry, { context, path: deps.path, own: deps.ownPrograms });
    return { argv: [command, ...args], found: (await findProgram(command, deps.path)) !== undefined };
  });
  return { url, detected: true, guard, runs: await Promise.all(runs) };
}
