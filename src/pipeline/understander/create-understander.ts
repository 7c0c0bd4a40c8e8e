/** Understanding as the path of a message calls it; nothing of it is loaded before a message needs it. */
import { agentEntry } from '../../agent/resolve-agent.ts';
import type { LinksConfig } from '../../config/understanding-config.ts';
import type { InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { Understanding } from '../../core/understanding.ts';
import type { Ability } from '../../host/ability.ts';
import type { Origins } from '../../host/origin-traits.ts';
import type { InboundRow, NewOutboxRow } from '../../journal/rows.ts';
import { mayHoldLinks } from '../understanding/links/detect/may-hold-links.ts';
import { linkSettings, mergeLinks } from '../understanding/links/settings.ts';
import { nothingSent } from '../understanding/nothing-sent.ts';
import { echoOf } from '../understanding/media/echo.ts';
import type { UnderstandRequest } from '../understanding/understand.ts';
import type { Understander } from '../understood.ts';
import { loadInSteps } from '../../platform/load-in-steps.ts';
import { loadOnce } from '../../platform/load-once.ts';
import type { FetchFile } from '../../core/tool.ts';
import type { Understood } from '../understanding/media/understand-file.ts';
import type {
  Transcription,
  PictureRequest,
  UnderstandingParts,
  UnderstandingPartsDeps,
} from './understanding-parts.ts';

export interface UnderstandingDeps extends UnderstandingPartsDeps {
  /** The id of the session, when there is one already. */
  sessionId(sessionKey: string): string | undefined;
  /** A surface on which a person can be notified besides the answer. */
  isDeliverable(channel: string): boolean;
  /** What features say of the messages they send. */
  origins(): Origins;
}

export interface AppUnderstanding extends Understander {
  /**
   * The words of a voice note, for a group's mention gate; undefined when there are none. Rejects with `aborted` only.
   */
  transcribe(message: InboundMessage, route: Route, signal: AbortSignal): Promise<Transcription | undefined>;
  /** What a picture shows, for an agent that asks. */
  describe(request: PictureRequest): Promise<Understood>;
  /** A file from the network, through the guard. */
  fetch: FetchFile;
  /** What becomes text in a conversation, and who does it. */
  status(agentId: string, sessionKey: SessionKey): Promise<readonly Ability[]>;
  close(): Promise<void>;
}

/** The larger ones of what the parts are made of. */
const PIECES = [
  () => import('../../platform/net/guard/guard.ts'),
  () => import('../../platform/net/fetch/guarded-fetch.ts'),
  () => import('../../platform/net/egress/egress-proxy.ts'),
  () => import('../../documents/document-reader.ts'),
  () => import('../understanding/attachments.ts'),
  () => import('../understanding/media/local/local-media.ts'),
  () => import('../understanding/media/understand-media.ts'),
  () => import('../understanding/links/understand-links.ts'),
] as const;

export function createUnderstanding(deps: UnderstandingDeps): AppUnderstanding {
  const load = async (): Promise<UnderstandingParts> => {
    await loadInSteps(PIECES);
    const { createUnderstandingParts } = await import('./understanding-parts.ts');
    return createUnderstandingParts(deps);
  };
  const parts = loadOnce(load);
  const linksOf = (agentId: string): LinksConfig | undefined =>
    mergeLinks(deps.config().tools.links, agentEntry(deps.config(), agentId)?.tools?.links);

  const requestFor = (
    facts: Pick<UnderstandRequest, 'runId' | 'message' | 'route' | 'signal' | 'progress'>,
  ): UnderstandRequest => {
    const id = deps.sessionId(facts.route.sessionKey);
    return {
      ...facts,
      session: id === undefined ? {} : { id },
      config: { media: deps.config().tools.media, links: linksOf(facts.route.agentId) },
      log: deps.machine.log.child({ runId: facts.runId, sessionKey: facts.route.sessionKey }),
    };
  };

  return {
    needed({ message, route, trigger }) {
      // Nobody asked for what the output of a command happens to name.
      if (message.system && !(trigger && deps.origins()[trigger.origin]?.written)) return false;
      if (message.attachments.length > 0) return true;
      return mayHoldLinks(message.text) && linkSettings(linksOf(route.agentId)) !== undefined;
    },
    declined({ message, route }) {
      if (message.system || !mayHoldLinks(message.text) || linkSettings(linksOf(route.agentId)) !== undefined)
        return undefined;
      return {
        notes: [],
        links: { outcome: 'disabled', urls: [] },
        media: nothingSent(deps.config().tools.media),
        attachments: [],
      };
    },
    async run({ runId, message, route, transcript }, { signal, progress }): Promise<Understanding> {
      return (await parts.get()).understand({
        ...requestFor({ runId, message, route, signal, progress }),
        ...present({ transcribed: transcript }),
      });
    },
    echo(row, understanding) {
      const text = deps.isDeliverable(row.route.replyTo.channel)
        ? echoOf(understanding.notes, deps.config().tools.media.audio)
        : undefined;
      return text === undefined ? [] : [echoRow(row, text)];
    },
    async transcribe(message, route, signal) {
      return (await parts.get()).transcribe(
        requestFor({ runId: message.id, message, route, signal, progress: () => undefined }),
      );
    },
    describe: async (request) => (await parts.get()).describe(request),
    async fetch(url, limits) {
      const { body, mime, url: finalUrl } = await (await parts.get()).fetch.fetch(url, limits);
      return { data: body, mime, url: finalUrl };
    },
    async status(agentId, sessionKey) {
      const links = linkSettings(linksOf(agentId));
      const media = await (await parts.get()).who({ route: { agentId, sessionKey } });
      return [
        { kind: 'link', on: links !== undefined, by: links?.entries.map(({ command }) => command) ?? [] },
        ...media,
        { kind: 'file', on: deps.config().tools.media.files.enabled, by: ['documents'] },
      ];
    },
    async close() {
      await (await parts.begun)?.close();
    },
  };
}

const echoRow = ({ runId, route }: InboundRow, text: string): NewOutboxRow => ({
  token: `${runId}:echo`,
  runId,
  sessionKey: route.sessionKey,
  address: route.replyTo,
  payload: { kind: 'notice', text },
});
