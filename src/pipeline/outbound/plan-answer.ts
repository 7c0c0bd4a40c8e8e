/** Splits a turn's payload into messages, in order, without what the chat already shows. */
import { readDirectives } from '../../core/directives/read-directives.ts';
import { AppError } from '../../core/errors.ts';
import { sentTo, wasSaid, type MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Turn } from '../../core/turn.ts';
import { finalWithout } from '../delivery/block-cut.ts';
import type { Live } from '../delivery/live.ts';
import { planReply } from '../delivery/plan.ts';
import { previewToken } from '../delivery/preview-token.ts';
import type { DeliveryRules } from '../delivery/rules.ts';
import { outsideOf, type LiveDeliveryDeps, type ActiveRuns } from './live-delivery-deps.ts';
import type { createDeliverySettings } from './live-settings.ts';
import { addressesOf, findEmbeds, refsOf } from './find-embeds.ts';
import { takePictures } from './markdown-pictures.ts';
import { ownReply } from './own-reply.ts';
import { withoutSentFiles } from './reply-media.ts';
import type { RunPrefix } from './run-prefix.ts';
import { shownEarly } from './shown-early.ts';
import { withUnsupported } from './unsupported-content.ts';

interface PlanAnswerParts {
  readonly rows: ActiveRuns['rows'];
  readonly prefixFor: RunPrefix;
  readonly rulesOf: ReturnType<typeof createDeliverySettings>['rulesOf'];
  readonly streamed: Live['streamed'];
}

export type PlanAnswer = (
  turn: Turn,
  payload: ReplyPayload,
  sentBefore?: readonly MessageSent[],
) => Promise<readonly ReplyPayload[]>;

export function createPlanAnswer(
  deps: Pick<LiveDeliveryDeps, 'journal' | 'channels' | 'config' | 'files' | 'machine' | 'voiced'>,
  { rows, prefixFor, rulesOf, streamed }: PlanAnswerParts,
): PlanAnswer {
  const { journal } = deps;

  /** One of several agents that answer the same message. An unread row costs a signature, not the answer. */
  async function answersTogether(runId: string): Promise<boolean> {
    try {
      return (rows.get(runId) ?? (await journal.inbound.find(runId)))?.together !== undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.machine.log.warn('live.unread', { error });
      return false;
    }
  }

  /** The message an answer replies to. */
  async function answeredMessage(turn: Turn): Promise<string | undefined> {
    if (turn.origin !== 'message') return undefined;
    return (await journal.inbound.ofTurn(turn.id)).findLast(({ steered }) => !steered)?.message.id;
  }

  async function planFinal(
    turn: Turn,
    payload: ReplyPayload,
    { sentBefore, rules }: { readonly sentBefore: readonly MessageSent[]; readonly rules: DeliveryRules },
  ): Promise<readonly ReplyPayload[]> {
    const messageId = await answeredMessage(turn);
    const prefix = prefixFor(
      { runId: turn.id, agentId: turn.route.agentId, sessionKey: turn.route.sessionKey },
      { configured: rules.prefix, together: await answersTogether(turn.id) },
    );
    const { preview, sent } = await shownEarly({ runId: turn.id, prefix }, { outbox: journal.outbox, streamed });
    const pictures = outsideOf(deps.channels, turn.route.replyTo.channel)?.markdownPictures === true;
    const { said, continued } = await unsaid(turn, payload, { sentBefore, sent, pictures, files: deps.files });
    const planned = planReply(said, rules, {
      messageId,
      prefix,
      continued,
      ...present({ preview: preview ? previewToken(turn.id) : undefined }),
    });
    const { replyTo, sessionKey } = turn.route;
    return deps.voiced(planned, { capabilities: outsideOf(deps.channels, replyTo.channel), sessionKey });
  }

  return async (turn, payload, sentBefore = []) => {
    const { channel } = turn.route.replyTo;
    const capabilities = outsideOf(deps.channels, channel);
    if (!capabilities)
      return [
        deps.channels.capabilities(channel)
          ? await ownReply(turn, payload, { sentBefore, deps: deps.files })
          : withoutTags(payload),
      ];
    const rules = rulesOf(deps.config(), turn.route.replyTo, capabilities);
    return payload.kind === 'final'
      ? planFinal(turn, payload, { sentBefore, rules })
      : planReply(payload, rules, { messageId: await answeredMessage(turn) });
  };
}

/** Words and files of the answer that did not reach the chat while the turn went on. */
async function unsaid(
  turn: Turn,
  { attached = [], ...payload }: ReplyPayload,
  {
    sentBefore,
    sent,
    pictures,
    files: ours,
  }: {
    readonly sentBefore: readonly MessageSent[];
    readonly sent: string;
    /** Those of Markdown are files here. */
    readonly pictures: boolean;
    readonly files: LiveDeliveryDeps['files'];
  },
): Promise<{ readonly said: ReplyPayload; readonly continued: boolean }> {
  const { text: words, silent, media, ...spoken } = readDirectives(payload.text ?? '');
  const here = sentTo(turn.route.replyTo, sentBefore);
  const text = wasSaid(words, here) ? '' : words;
  const left = sent === '' ? text : finalWithout(sent, text);
  const { text: rest, urls } = pictures && !silent ? await takePictures(left) : { text: left, urls: [] };
  const embeds = [...spoken.embeds, ...(payload.canvas ?? [])];
  const { shown: shownHere, others } = await findEmbeds(embeds, turn, ours.embeds);
  // What tools attached comes before what words name.
  const refs = [...attached, ...media, ...refsOf(others), ...urls];
  const named = refs.length > 0 ? await ours.media(refs, ours.placeOf(turn)) : { files: [], refused: [] };
  const fresh = await withoutSentFiles(
    [...(payload.media ?? []), ...named.files],
    here.flatMap((one) => one.media ?? []),
  );
  const { files, refused } = await ours.keep.copies(fresh, turn.route.sessionKey);
  const shown = withUnsupported(silent ? '' : rest, {
    refused: [...named.refused, ...refused],
    embeds: silent ? [] : [...shownHere.map((found) => ({ embed: {}, found })), ...addressesOf(others)],
  });
  return {
    said: {
      ...payload,
      ...pointing(spoken),
      text: shown,
      media: files,
      ...present({ canvas: shownHere.length > 0 && !silent ? shownHere.map(({ preview }) => preview) : undefined }),
    },
    continued: sent !== '' && left !== text,
  };
}

/** A channel that is not there any more: its reply waits, without anything only we read. */
const withoutTags = ({ attached: _unchecked, ...payload }: ReplyPayload): ReplyPayload =>
  payload.kind === 'final' ? { ...payload, text: readDirectives(payload.text ?? '').text } : payload;

const pointing = ({
  replyTo,
  audioAsVoice,
  embeds,
}: Omit<ReturnType<typeof readDirectives>, 'text' | 'silent' | 'media'>): Pick<
  ReplyPayload,
  'replyTo' | 'audioAsVoice' | 'embeds'
> => present({ replyTo, audioAsVoice, embeds: embeds.length > 0 ? embeds : undefined });
