/** The manifest of a document: the file `manifest.json` beside its pages. Pure. */
import { z } from 'zod';
import { documentUrl, type CanvasPreview } from '../../../core/canvas.ts';
import { present } from '../../../core/present.ts';

/** How much a document may do: nothing, scripts without an origin, scripts with one. */
export const SANDBOXES = ['strict', 'scripts', 'trusted'] as const;
export type Sandbox = (typeof SANDBOXES)[number];

const text = z.string().max(2000);

export const manifestSchema = z.object({
  id: z.string(),
  kind: z.enum(['html', 'url', 'path']),
  title: text.optional(),
  preferredHeight: z.number().optional(),
  surface: text.optional(),
  /** The session it was made in: what it counts for, and who may change it. */
  retentionScope: text,
  agentId: text,
  cspSandbox: z.enum(['strict', 'scripts']).optional(),
  /** Of this version, ISO 8601. */
  createdAt: text,
  entryUrl: text,
  localEntrypoint: text.optional(),
  externalUrl: text.optional(),
  assets: z.array(z.object({ logicalPath: text, contentType: text, bytes: z.number() })),
  /** Counted from 1. */
  version: z.number(),
  bytes: z.number(),
});

/** What is known of a document. */
export type Manifest = z.output<typeof manifestSchema>;

const ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a text can be the id of a document; it is the name of its folder. */
export const isDocumentId = (id: string): boolean => ID.test(id) && !/^\.+$/.test(id);

/**
 * The path of an asset as it is kept, or why it is none: relative, ordinary names, no backslash, colon or control
 * character.
 */
export function assetPath(input: string): { readonly path: string } | { readonly problem: string } {
  const parts = input.replace(/^\.\//, '').split('/');
  if (input.startsWith('/') || input.length > 500) return { problem: 'it has to be relative, and short' };
  if (/[\\:\p{Cc}]/u.test(input)) return { problem: 'it holds a backslash, a colon or a control character' };
  if (parts.some((part) => part === '' || part.startsWith('.')))
    return { problem: 'a part of it is empty or begins with a dot' };
  const path = parts.join('/');
  return path === 'index.html' || path === 'manifest.json'
    ? { problem: 'the name is taken by the document itself' }
    : { path };
}

/** What clients frame of it. */
export const previewOf = ({ id, title, preferredHeight }: Manifest): CanvasPreview => ({
  kind: 'canvas',
  surface: 'assistant_message',
  render: 'url',
  viewId: id,
  url: documentUrl(id),
  ...present({ title, preferredHeight }),
});
