/** What an answer shows inline: the block stored beside its text, and the addresses it may contain. Pure. */
import { present } from './present.ts';
import { PRODUCT_NAMES } from './product.ts';

/** A document of the gateway or an address, as clients frame it. `preferredHeight` in CSS pixels. */
export interface CanvasPreview {
  readonly kind: 'canvas';
  readonly surface: 'assistant_message';
  readonly render: 'url';
  /** The document's id. */
  readonly viewId?: string;
  /** A path below the canvas of the gateway, or an https address. */
  readonly url: string;
  readonly title?: string;
  readonly preferredHeight?: number;
}

/** A preview as it stands in a message, beside text, thinking and tool calls. The model never sees it. */
export interface CanvasBlock {
  readonly type: 'canvas';
  readonly preview: CanvasPreview;
}

/** What an answer asks to show, as its directive has it. */
export interface EmbedRequest {
  readonly ref?: string;
  readonly url?: string;
  readonly title?: string;
  readonly height?: number;
}

/** An embed that can be shown, and an address people can open it at from elsewhere. */
export interface ShownEmbed {
  readonly preview: CanvasPreview;
  readonly link?: string;
}

/** Knows what embeds may show. */
export interface EmbedSource {
  /** Undefined: the document does not exist, or the address may not be framed. */
  find(
    embed: EmbedRequest,
    whose: { readonly agentId: string; readonly sessionKey: string },
  ): Promise<ShownEmbed | undefined>;
}

/** The heights a preview may ask for, in CSS pixels. */
export const [MIN_HEIGHT, MAX_HEIGHT] = [160, 1200] as const;

/** The stored height: a value that is too small or no number is ignored, one that is too large becomes the maximum. */
export function preferredHeightOf(input: unknown): number | undefined {
  const height = typeof input === 'string' && input.trim() === '' ? Number.NaN : Number(input);
  return Number.isFinite(height) && height >= MIN_HEIGHT ? Math.min(MAX_HEIGHT, Math.trunc(height)) : undefined;
}

/** Where the gateway serves canvas and A2UI: one prefix per name of the product family, all alike. */
export const CANVAS_ROOTS: readonly string[] = PRODUCT_NAMES.map((name) => `/__${name}__`);

/** The address of a document's entry, as it is stored and as existing clients know it. */
export const documentUrl = (id: string): string =>
  `/__openclaw__/canvas/documents/${encodeURIComponent(id)}/index.html`;

/** A path of this gateway below its canvas, normalised; undefined: it leads elsewhere. */
export function canvasPath(url: string): string | undefined {
  if (!url.startsWith('/') || /[\\\s\p{Cc}]/u.test(url) || !URL.canParse(url, BASE)) return undefined;
  const { origin, pathname, search } = new URL(url, BASE);
  const root = CANVAS_ROOTS.find((one) => pathname.startsWith(`${one}/`));
  if (origin !== BASE || root === undefined) return undefined;
  // What a server may decode into a dot segment leads out of it.
  return /^\/(?:canvas|a2ui)(?:\/|$)/.test(pathname.slice(root.length)) && !/%(?:2e|2f|5c|00)/i.test(pathname)
    ? pathname + search
    : undefined;
}

const BASE = 'http://gateway.invalid';

/** The id of the document that a canvas path shows. */
export function documentIdOf(path: string): string | undefined {
  const [, id] = /^\/__\w+__\/canvas\/documents\/([A-Za-z0-9._-]+)(?:\/|$)/.exec(path) ?? [];
  return id === '.' || id === '..' ? undefined : id;
}

/** The parts of a message that are read; messages of tools have details. */
interface ToolOutcome {
  readonly role: string;
  readonly isError?: boolean;
  readonly details?: unknown;
}

/** Previews that tools attached to their results (`details.preview`), in order, each document or address once. */
export const previewsByTools = (messages: readonly ToolOutcome[]): readonly CanvasPreview[] =>
  latestPerView(
    messages.flatMap((message) => {
      if (message.role !== 'toolResult' || message.isError) return [];
      const preview = readPreview((message.details as { readonly preview?: unknown } | undefined | null)?.preview);
      return preview ? [preview] : [];
    }),
  );

/** By document where there is one, else by address: of several the first place and the last content. */
export const latestPerView = (previews: readonly CanvasPreview[]): readonly CanvasPreview[] => [
  ...new Map(previews.map((one) => [one.viewId ?? one.url, one])).values(),
];

/** What a tool calls a preview; undefined for anything that leads out of the gateway's canvas. */
export function readPreview(input: unknown): CanvasPreview | undefined {
  const { kind, url, title, preferredHeight, surface = SURFACE } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (kind !== 'canvas' || surface !== SURFACE || typeof url !== 'string') return undefined;
  const path = canvasPath(url);
  if (path === undefined) return undefined;
  return {
    kind: 'canvas',
    surface: SURFACE,
    render: 'url',
    ...present({ viewId: documentIdOf(path) }),
    url: path,
    ...present({
      title: (typeof title === 'string' && title.trim()) || undefined,
      preferredHeight: preferredHeightOf(preferredHeight),
    }),
  };
}

const SURFACE = 'assistant_message';
