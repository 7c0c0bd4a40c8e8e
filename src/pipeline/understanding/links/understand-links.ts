/** The links of one message: found, checked, read by the configured commands, and recorded. */
import type { LinksConfig } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import type { LinkDecision, LinkUrlDecision } from '../../../core/understanding.ts';
import { shortId } from '../../../platform/ids.ts';
import { loadInSteps } from '../../../platform/load-in-steps.ts';
import type { UnderstandingContext } from '../context.ts';
import { inertSummary, type LinkNote } from './format.ts';
import { createLinkCache } from './link-cache.ts';
import { mayHoldLinks } from './detect/may-hold-links.ts';
import { linkScope, linkSettings, type LinkSettings } from './settings.ts';
import type { ReadLink } from './read-all.ts';
import type { RunLinkDeps } from './run-link.ts';

export type LinksDeps = Omit<RunLinkDeps, 'cache'>;

export interface LinksOutcome {
  readonly notes: readonly LinkNote[];
  readonly decision: LinkDecision;
}

export interface Links {
  /** Cheap; a message it says no to costs nothing more. */
  wanted(text: string, config: LinksConfig | undefined): boolean;
  /** `text`: what the person wrote or said. Rejects with `aborted` when the turn is stopped. */
  run(context: UnderstandingContext, text: string, config: LinksConfig | undefined): Promise<LinksOutcome>;
}

export function createLinks(deps: LinksDeps): Links {
  const cache = createLinkCache(() => deps.clock.monotonic());
  return {
    wanted: (text) => mayHoldLinks(text),
    run: (context, text, config) => run({ context, text, config }, { ...deps, cache }),
  };
}

/** Links that are checked beyond `maxLinks`, because a blocked one does not count. */
const SPARE = 20;

const without = (outcome: LinkDecision['outcome'], urls: readonly LinkUrlDecision[] = []): LinksOutcome => ({
  notes: [],
  decision: { outcome, urls },
});

async function run(
  { context, text, config }: { context: UnderstandingContext; text: string; config: LinksConfig | undefined },
  deps: RunLinkDeps,
): Promise<LinksOutcome> {
  const settings = linkSettings(config);
  if (!settings) return without('disabled');
  const { address } = context.message;
  const scope = linkScope(settings, {
    channel: address.channel,
    chatType: address.chat.kind,
    sessionKey: context.route.sessionKey,
  });
  if (scope.action === 'deny') {
    context.log.debug('links.scope-deny', { runId: context.runId, rule: scope.rule ?? 'default' });
    return without('scope-deny');
  }
  await loadInSteps([() => import('linkify-it'), () => import('markdown-it')]);
  const { detectLinks } = await import('./detect/detect.ts');
  const found = detectLinks(text, { limit: settings.maxLinks + SPARE });
  if (found.length === 0) return without('no-links');
  const { readAll } = await import('./read-all.ts');
  const read = await readAll(
    found.map(({ url }) => url),
    { context, settings, deps },
  );
  if (context.signal.aborted)
    throw new AppError('aborted', 'The turn was stopped while its links were read.', { cause: context.signal.reason });
  return conclude(read, { context, settings });
}

function conclude(
  read: readonly ReadLink[],
  { context, settings }: { context: UnderstandingContext; settings: LinkSettings },
): LinksOutcome {
  const notes = read.flatMap(({ decision: { url, chosen }, printed }): LinkNote[] => {
    if (!chosen || printed === undefined) return [];
    const wrapId = settings.wrap ? shortId() + shortId() : undefined;
    return [
      {
        kind: 'link',
        url,
        source: chosen.command!,
        text: inertSummary(printed, { maxChars: settings.maxChars, wrapId }),
      },
    ];
  });
  const urls = read.map(({ decision }) => decision);
  const tried = urls.filter(({ blocked }) => blocked === undefined);
  context.log.info('links.done', {
    runId: context.runId,
    read: notes.length,
    of: tried.length,
    blocked: urls.length - tried.length,
    sources: [...new Set(notes.map(({ source }) => source))],
  });
  if (tried.length === 0) return without('no-links', urls);
  return { notes, decision: { outcome: notes.length > 0 ? 'success' : 'skipped', urls } };
}
