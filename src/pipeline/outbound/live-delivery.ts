/** Puts delivery together: what is shown of an answer while it is made, and the messages it becomes in the end. */
import { resolveAgent } from '../../agent/resolve-agent.ts';
import { reasoningOf, verboseOf } from '../../agent/turn/turn-levels.ts';
import { AppError } from '../../core/errors.ts';
import type { ChannelCapabilities, ChannelConnection } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { sentTo, wasSaid, type MessageSent } from '../../core/message-tool.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Turn, TurnOptions } from '../../core/turn.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow, OutboxRow } from '../../journal/rows.ts';
import { finalWithout } from '../delivery/block-cut.ts';
import { isBlockToken } from '../delivery/blocks.ts';
import { readDirectives } from '../../core/directives.ts';
import { present } from '../../core/present.ts';
import { createLive } from '../delivery/live.ts';
import type { LiveDeps, LiveRun } from '../delivery/live-run.ts';
import type { OutboxSender } from '../delivery/outbox-sender.ts';
import { planReply } from '../delivery/plan.ts';
import { prefixOf, signed, type PrefixFacts } from '../delivery/prefix.ts';
import { previewToken } from '../delivery/preview-token.ts';
import type { RunHub } from '../run-hub.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { createDeliverySettings, type DeliveryConfig } from './live-settings.ts';
import { ownReply, type OwnReplyDeps } from './own-reply.ts';
import { withoutSentFiles } from './reply-media.ts';
import { withUnshown } from './unshown.ts';

export interface LiveDeliveryDeps {
  readonly machine: { readonly clock: Clock; readonly log: Log; random(): number };
  readonly journal: Pick<Journal, 'inbound' | 'outbox'>;
  readonly hub: Pick<RunHub, 'subscribe' | 'onAccepted'>;
  readonly sender: Pick<OutboxSender, 'send' | 'withdraw'>;
  readonly previews: LiveDeps['previews'];
  config(): DeliveryConfig;
  readonly channels: {
    capabilities(channel: string): ChannelCapabilities | undefined;
    connection(address: ChatAddress): { readonly connection: ChannelConnection } | undefined;
  };
  session(key: string): SessionEntry | undefined;
  /** What a message asks for itself alone. */
  requested?(row: InboundRow): TurnOptions;
  /** Which files of an answer go along. */
  readonly files: OwnReplyDeps;
}

export type LiveDelivery = ReturnType<typeof createLiveDelivery>;

export function createLiveDelivery(deps: LiveDeliveryDeps) {
  const { journal } = deps;
  const { log } = deps.machine;
  const { liveSettings, rulesOf } = createDeliverySettings();
  /** The messages of runs that go on. */
  const rows = new Map<string, InboundRow>();
  /** Which model answers a run that goes on. */
  const models = new Map<string, { readonly provider: string; readonly model: string }>();

  const prefixFor = (
    run: { readonly runId: string; readonly agentId: string; readonly sessionKey: string },
    { configured, together }: { readonly configured: string | undefined; readonly together: boolean },
  ): string | undefined => {
    const agent = resolveAgent(deps.config(), run.agentId);
    const template = together ? signed(configured, agent.identity?.name ?? agent.name ?? agent.id) : configured;
    return template === undefined ? undefined : prefixOf(template, prefixFacts(run));
  };

  function prefixFacts({
    runId,
    agentId,
    sessionKey,
  }: {
    readonly runId: string;
    readonly agentId: string;
    readonly sessionKey: string;
  }): PrefixFacts {
    const agent = resolveAgent(deps.config(), agentId);
    const thinkingLevel = deps.session(sessionKey)?.thinkingLevel ?? agent.thinkingDefault;
    const identityName = agent.identity?.name ?? agent.name;
    return { ...models.get(runId), ...present({ thinkingLevel, identityName }) };
  }

  /** Capabilities of a channel people see outside. */
  function outside(channel: string): ChannelCapabilities | undefined {
    const capabilities = deps.channels.capabilities(channel);
    return capabilities?.deliverable ? capabilities : undefined;
  }

  function liveOf(runId: string): LiveRun | undefined {
    const row = rows.get(runId);
    const capabilities = row && outside(row.route.replyTo.channel);
    // nobody waits for what nobody asked for
    if (!row || !capabilities || row.message.quiet || row.trigger) return undefined;
    const settings = liveSettings(deps.config(), row, capabilities);
    const begunBefore = row.turnId !== undefined; // an earlier run showed its beginning: the answer takes that up
    const { agentId, sessionKey, replyTo } = row.route;
    const behind = { options: { ...row.options, ...deps.requested?.(row) }, entry: deps.session(sessionKey) };
    const verbose = verboseOf(behind);
    const seen = replyTo.chat.kind === 'direct' && !row.message.native && !row.message.system;
    return {
      ...settings,
      runId,
      sessionKey,
      address: replyTo,
      messageId: row.message.id,
      streaming: begunBefore ? 'off' : settings.streaming,
      toolSummaries: verbose !== 'off' && seen,
      toolResults: verbose === 'full' && seen,
      thoughts: reasoningOf(behind) === 'stream',
      prefix: () =>
        prefixFor(
          { runId, agentId, sessionKey },
          { configured: settings.rules.prefix, together: row.together !== undefined },
        ),
    };
  }

  const live = createLive({
    clock: deps.machine.clock,
    log,
    liveOf,
    random: deps.machine.random,
    previews: deps.previews,
    connection: (address) => deps.channels.connection(address)?.connection,
    post: ({ runId, sessionKey, address }, rows) =>
      journal.outbox.post(
        rows.map((row) => ({ ...row, runId, sessionKey, address })),
        [],
      ),
    send: (id) => deps.sender.send(id),
    withdraw: (id) => deps.sender.withdraw(id),
    delivered: async (runId) =>
      void (await Promise.all((await journal.outbox.ofRun(runId)).map(({ id }) => deps.sender.send(id)))),
  });
  const leave = [
    deps.hub.onAccepted(({ runId }, row) => {
      if (row) rows.set(runId, row);
      live.accepted(runId);
    }),
    deps.hub.subscribe(({ runId }, event) => {
      if (event.type === 'started') models.set(runId, { provider: event.provider, model: event.model });
      live.event(runId, event);
      if (event.type !== 'ended') return;
      models.delete(runId);
      rows.delete(runId);
    }),
  ];

  /** The messages one payload of a turn becomes, in order. */
  async function plan(
    turn: Turn,
    payload: ReplyPayload,
    told: readonly MessageSent[] = [],
  ): Promise<readonly ReplyPayload[]> {
    const { channel } = turn.route.replyTo;
    const capabilities = outside(channel);
    if (!capabilities)
      return [
        deps.channels.capabilities(channel)
          ? await ownReply(turn, payload, { told, deps: deps.files })
          : withoutTags(payload),
      ];
    const rules = rulesOf(deps.config(), turn.route.replyTo, capabilities);
    const messageId =
      turn.origin === 'message'
        ? (await journal.inbound.ofTurn(turn.id)).findLast(({ steered }) => !steered)?.message.id
        : undefined;
    if (payload.kind !== 'final') return planReply(payload, rules, { messageId });
    const prefix = prefixFor(
      { runId: turn.id, agentId: turn.route.agentId, sessionKey: turn.route.sessionKey },
      { configured: rules.prefix, together: await answersTogether(turn.id) },
    );
    const { preview, sent } = await shownEarly(turn.id, prefix);
    const { text: words, silent, media, ...spoken } = readDirectives(payload.text ?? '');
    const here = sentTo(turn.route.replyTo, told);
    const text = wasSaid(words, here) ? '' : words;
    const rest = sent === '' ? text : finalWithout(sent, text);
    const named =
      media.length > 0 ? await deps.files.media(media, deps.files.placeOf(turn)) : { files: [], refused: [] };
    const files = await withoutSentFiles(
      [...(payload.media ?? []), ...named.files],
      here.flatMap((one) => one.media ?? []),
    );
    const shown = withUnshown(silent ? '' : rest, {
      refused: named.refused,
      embeds: words === '' && !silent && files.length === 0 ? spoken.embeds : [],
    });
    const said: ReplyPayload = { ...payload, ...pointing(spoken), text: shown, media: files };
    return planReply(said, rules, {
      messageId,
      prefix,
      continued: sent !== '' && rest !== text,
      ...present({ preview: preview ? previewToken(turn.id) : undefined }),
    });
  }

  /** One of several agents that answer the same message. An unread row costs a signature, not the answer. */
  async function answersTogether(runId: string): Promise<boolean> {
    try {
      return (rows.get(runId) ?? (await journal.inbound.find(runId)))?.together !== undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn('live.unread', { error });
      return false;
    }
  }

  /** What stands in the chat already, also of an earlier run. */
  async function shownEarly(
    runId: string,
    prefix: string | undefined,
  ): Promise<{ readonly preview: boolean; readonly sent: string }> {
    const streamed = await live.streamed(runId);
    const shown = await journal.outbox.ofRun(runId);
    const blocks = shown.filter(({ token }) => isBlockToken(token));
    const failed =
      blocks.some(({ state }) => state === 'failed') || (streamed !== undefined && streamed.sent === undefined);
    return {
      preview: shown.some(({ token }) => token === previewToken(runId)),
      sent: failed ? '' : streamed?.sent || wordsOf(blocks, prefix),
    };
  }

  return {
    plan,
    /** Words of ours that no turn says: cut to size, otherwise as they are. */
    planNotice(address: ChatAddress, payload: ReplyPayload, messageId?: string): readonly ReplyPayload[] {
      const capabilities = outside(address.channel);
      return capabilities
        ? planReply(payload, rulesOf(deps.config(), address, capabilities), { messageId })
        : [payload];
    },
    /** The agent may say which message it answers. */
    replyTags(address: ChatAddress): boolean {
      const capabilities = outside(address.channel);
      return capabilities !== undefined && rulesOf(deps.config(), address, capabilities).replyTo !== 'off';
    },
    close(): void {
      leave.forEach((stop) => stop());
      live.close();
    },
  };
}

const wordsOf = (rows: readonly OutboxRow[], prefix: string | undefined): string => {
  const words = rows.map(({ payload }) => payload.text ?? '').join('\n');
  return prefix !== undefined && words.startsWith(prefix) ? words.slice(prefix.length) : words;
};

/** A channel that is not there any more: its reply waits, without anything only we read. */
const withoutTags = (payload: ReplyPayload): ReplyPayload =>
  payload.kind === 'final' ? { ...payload, text: readDirectives(payload.text ?? '').text } : payload;

const pointing = ({
  replyTo,
  audioAsVoice,
  embeds,
}: Omit<ReturnType<typeof readDirectives>, 'text' | 'silent' | 'media'>): Pick<
  ReplyPayload,
  'replyTo' | 'audioAsVoice' | 'embeds'
> => present({ replyTo, audioAsVoice, embeds: embeds.length > 0 ? embeds : undefined });
