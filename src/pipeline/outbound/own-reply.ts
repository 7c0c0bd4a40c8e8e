/** Converts an answer for the web chat: applies directives, stores files and explains what cannot be sent. */
import type { EmbedSource } from '../../core/canvas.ts';
import { mayDirect, readDirectives } from '../../core/directives/read-directives.ts';
import { sentTo, wasSaid, type MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Turn } from '../../core/turn.ts';
import { addressesOf, findEmbeds, refsOf } from './find-embeds.ts';
import type { KeepFiles } from './keep-files.ts';
import { withoutSentFiles, type FilePlace, type ReplyFiles } from './reply-media.ts';
import { withUnsupported } from './unsupported-content.ts';

export interface OwnReplyDeps {
  placeOf(turn: Turn): FilePlace;
  /** Those of the files an answer names that may be given, and those that may not. */
  media(refs: readonly string[], place: FilePlace): Promise<ReplyFiles>;
  readonly keep: Pick<KeepFiles, 'possible' | 'copies'>;
  readonly embeds: EmbedSource;
}

/** Without `files` it is shown as it was written. `sentBefore`: what tools sent in the turn. */
export async function ownReply(
  turn: Turn,
  payload: ReplyPayload,
  { sentBefore, deps }: { readonly sentBefore: readonly MessageSent[]; readonly deps: OwnReplyDeps },
): Promise<ReplyPayload> {
  const { attached = [], ...bare } = payload;
  const written = bare.text ?? '';
  if (payload.kind !== 'final' || (!mayDirect(written) && attached.length === 0)) return bare;
  const { text: words, silent, media, embeds } = readDirectives(written);
  if (words.trim() === written.trim() && media.length + embeds.length + attached.length === 0) return bare;
  const here = sentTo(turn.route.replyTo, sentBefore);
  const { shown, others } = await findEmbeds(embeds, turn, deps.embeds);
  // What tools attached comes before what words name.
  const named = [...attached, ...media, ...refsOf(others)];
  const { files, refused } =
    named.length > 0 ? await deps.media(named, deps.placeOf(turn)) : { files: [], refused: [] };
  const fresh = await withoutSentFiles(
    files,
    here.flatMap((one) => one.media ?? []),
  );
  const got = await deps.keep.possible(fresh, turn.route.sessionKey);
  const text = withUnsupported(silent || wasSaid(words, here) ? '' : words, {
    refused: [...refused, ...got.refused],
    embeds: addressesOf(others),
  });
  const canvas = silent ? [] : shown.map(({ preview }) => preview);
  return { ...bare, text, files: got.kept, ...present({ canvas: canvas.length > 0 ? canvas : undefined }) };
}
