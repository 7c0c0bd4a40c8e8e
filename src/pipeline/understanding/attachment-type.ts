/** Which kind of thing an attachment is, and what it may be called: MIME first, then the extension. */
import { bareMime, extensionOf, kindOfMime, MEDIA_EXTENSIONS } from '../../core/media-type.ts';
import type { Attachment } from '../../core/message.ts';
import type { SniffedType } from '../../documents/type/sniff.ts';

type Kind = Attachment['kind'];

const GENERIC = /^(application\/(octet-stream|x-unknown)|binary\/.*|)$/;

/** The type an extension stands for; undefined when it says nothing of the kind. */
export function mimeOfName(name: string): string | undefined {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return extension === 'txt' ? 'text/plain' : MEDIA_EXTENSIONS[extension];
}

/**
 * What the bytes show wins. Where they show nothing, the claim stands, then the extension. A container that holds sound
 * or
 * film alike (webm, mp4, ogg) is a recording when it was sent as one.
 */
export function decideType(
  seen: SniffedType,
  claim: { readonly mime: string; readonly name: string },
): { kind: Kind; mime: string } {
  const claimed = bareMime(claim.mime);
  const mime = bareMime(seen.mime);
  if (seen.kind === 'video' && claimed.startsWith('audio/') && claimed.slice(6) === mime.slice(6))
    return { kind: 'audio', mime: claimed };
  if (!GENERIC.test(mime)) return { kind: seen.kind === 'text' ? 'document' : kindOfMime(mime), mime };
  const best =
    [claimed, mimeOfName(claim.name) ?? '', mime].find((type) => !GENERIC.test(type)) ?? 'application/octet-stream';
  return { kind: kindOfMime(best), mime: best };
}

/** No folders, no control or direction marks, no leading dots; `media-<n>` when nothing is left. */
export function plainName(name: string | undefined, index: number): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const plain = [
    ...last
      .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .replace(/^[.\s]+/, ''),
  ]
    .slice(0, MAX_NAME)
    .join('')
    .trim();
  return plain || `media-${index + 1}`;
}

const MAX_NAME = 120;

/** The name with the extension of the type when it has none: some vendors and programs read nothing else. */
export function withExtension(name: string, mime: string): string {
  if (/\.[^.\s]{1,10}$/.test(name)) return name;
  const extension = mime === 'text/plain' ? 'txt' : extensionOf(mime);
  return extension ? `${name}.${extension}` : name;
}
