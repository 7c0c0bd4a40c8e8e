/** Decides from which addresses a surface may load images, audio and video. */
import type { RemoteMedia } from './canvas-feed.ts';

/** `ask`: once a person has allowed this host. */
export type MediaAddress =
  | { readonly kind: 'load'; readonly url: string }
  | { readonly kind: 'ask'; readonly url: string; readonly host: string }
  | { readonly kind: 'refused'; readonly why: string };

const DATA = {
  image: /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i,
  video: /^data:video\/(?:mp4|webm|ogg)[;,]/i,
  audio: /^data:audio\/(?:mpeg|mp4|ogg|wav|webm|aac)[;,]/i,
} as const;
/** Files that the gateway serves; the prefix and its aliases in the product family. */
const OWN = /^\/__(?:clawdbot|moltbot|openclaw)__\/[\w./~%-]*$/;

/** Anything but http, https, data of the right kind and paths of the canvas host is refused. */
export function mediaAddress(
  written: unknown,
  kind: keyof typeof DATA,
  remote: RemoteMedia,
  allowed: ReadonlySet<string>,
): MediaAddress {
  const text = typeof written === 'string' ? written.trim() : '';
  if (text === '') return { kind: 'refused', why: 'no address' };
  if (OWN.test(text) || DATA[kind].test(text)) return { kind: 'load', url: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return { kind: 'refused', why: 'not an address of the web' };
  if (remote === 'block') return { kind: 'refused', why: 'other hosts are blocked' };
  if (remote === 'allow' || allowed.has(url.host)) return { kind: 'load', url: url.href };
  return { kind: 'ask', url: url.href, host: url.host };
}

/** The colour of a surface's styles, or undefined: it goes into a style sheet. */
export const safeColour = (written: unknown): string | undefined =>
  typeof written === 'string' && /^#[0-9a-fA-F]{6}$/.test(written) ? written : undefined;

/** Names of fonts, or undefined: they go into a style sheet. */
export const safeFont = (written: unknown): string | undefined =>
  typeof written === 'string' && /^[A-Za-z0-9 ,'"_-]{1,100}$/.test(written) ? written : undefined;
