/** Methods of the `canvas_document` tool: the documents of its own session, and no others. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { Turn } from '../../core/turn.ts';
import { preferredHeightOf, type CanvasPreview } from '../../core/canvas.ts';
import { readReachable } from '../../platform/read-inside.ts';
import { join } from 'node:path';
import type { CanvasService } from './canvas-service.ts';
import type { NewDocument } from './documents/document-store.ts';
import { assetPath, isDocumentId, previewOf, type Manifest } from './documents/manifest.ts';
import { wrapAddress, wrapFile, wrapText } from './documents/wrapper-page.ts';
import { webTypeOf } from './serve/web-type.ts';
import { restored, wireOf } from './methods.ts';
import type { WireDocument } from './answers.ts';

/** What the tool asks to be kept: one of `html`, `url` and `file`. */
export interface CreateRequest {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly height?: number | undefined;
  readonly sandbox?: 'strict' | 'scripts' | undefined;
  readonly html?: string | undefined;
  readonly url?: string | undefined;
  /** Of the workspace, read by the tool. */
  readonly file?: { readonly name: string; readonly data: Uint8Array } | undefined;
  readonly assets?: readonly { readonly path: string; readonly data: Uint8Array }[] | undefined;
}

/** What became of it. */
export interface DocumentAnswer {
  readonly document: WireDocument;
  readonly preview: CanvasPreview;
}

const MAX_READ = 2 * 1024 * 1024;
const MAX_FILES = 50;

export function createDocumentTools({
  turn,
  canvas,
}: {
  readonly turn: Pick<Turn, 'route'>;
  readonly canvas: CanvasService;
}) {
  const { agentId, sessionKey } = turn.route;
  const answerOf = (document: Manifest): DocumentAnswer => ({
    document: wireOf(document),
    preview: previewOf(document),
  });

  /** Of another session it is as unknown as one that never was. */
  async function own(id: string): Promise<Manifest> {
    const found = isDocumentId(id) ? await canvas.store.get(id) : undefined;
    if (found?.retentionScope !== sessionKey)
      throw new AppError('not_found', `This conversation has no document ${id.slice(0, 128)}.`);
    return found;
  }

  return {
    'documents.create': async (request: CreateRequest): Promise<DocumentAnswer> => {
      const known = request.id === undefined ? undefined : await canvas.store.get(request.id);
      if (known && known.retentionScope !== sessionKey)
        throw new AppError('denied', `The id ${request.id} is taken by another conversation. Choose another id.`);
      const kept = await canvas.store.put({
        ...present({ id: request.id, title: request.title?.trim().slice(0, 200) || known?.title }),
        ...present({
          preferredHeight: preferredHeightOf(request.height) ?? known?.preferredHeight,
          cspSandbox: request.sandbox ?? known?.cspSandbox,
        }),
        agentId,
        retentionScope: sessionKey,
        ...(await contentOf(request, (url) => canvas.open(url, agentId))),
      });
      canvas.changed(kept.id);
      return answerOf(kept);
    },
    'documents.list': async (): Promise<readonly WireDocument[]> =>
      (await canvas.store.all()).filter(({ retentionScope }) => retentionScope === sessionKey).map(wireOf),
    'documents.read': async ({
      id,
    }: {
      readonly id: string;
    }): Promise<{ readonly document: WireDocument; readonly html: string }> => {
      const document = await own(id);
      const folder = join(canvas.store.folder, id);
      const html = await readReachable(join(folder, 'index.html'), { base: folder, roots: [folder] }, MAX_READ);
      return { document: wireOf(document), html: html.toString('utf8') };
    },
    'documents.delete': async ({ id }: { readonly id: string }): Promise<{ readonly id: string }> => {
      await own(id);
      await canvas.store.remove(id);
      canvas.changed(id);
      return { id };
    },
    'documents.restore': async ({
      id,
      version,
    }: {
      readonly id: string;
      readonly version: number;
    }): Promise<DocumentAnswer> => {
      await own(id);
      return answerOf(await restored(canvas, id, version));
    },
  };
}

type Content = Pick<NewDocument, 'kind' | 'html' | 'files' | 'externalUrl'>;

/** `open`: rejects for an address that may not be shown. */
async function contentOf(
  { html, url, file, title, assets = [] }: CreateRequest,
  open: (url: string) => Promise<unknown>,
): Promise<Content> {
  const input = [html, url, file].filter((one) => one !== undefined);
  if (input.length !== 1) throw new AppError('invalid', 'A document is made of one of html, url and path.');
  const files = filesOf(assets);
  if (html !== undefined) return { kind: 'html', html, files };
  if (url !== undefined) {
    await open(url);
    return { kind: 'url', html: wrapAddress(url, title?.trim() || url), files, externalUrl: url };
  }
  const { name, data } = file!;
  const mime = webTypeOf(name);
  const label = title?.trim() || name;
  const text = () => Buffer.from(data).toString('utf8');
  if (mime.startsWith('text/html')) return { kind: 'path', html: text(), files };
  if (/^text\/|json/.test(mime)) return { kind: 'path', html: wrapText(text(), label), files };
  const own = filesOf([{ path: name, data }]);
  return { kind: 'path', html: wrapFile(name, mime, label)!, files: [...own, ...files] };
}

function filesOf(assets: NonNullable<CreateRequest['assets']>): NewDocument['files'] {
  if (assets.length > MAX_FILES) throw new AppError('invalid', `A document can have at most ${MAX_FILES} files.`);
  const files = assets.map(({ path, data }) => {
    const read = assetPath(path);
    if ('problem' in read)
      throw new AppError('invalid', `${path.slice(0, 200)} cannot be a file of a document: ${read.problem}.`);
    return { path: read.path, data, mime: webTypeOf(read.path) };
  });
  const twice = files.find(({ path }, at) => files.some((other, before) => before < at && other.path === path));
  if (twice)
    throw new AppError(
      'invalid',
      `Two files of the document are called ${twice.path}. Give one another name: name=path.`,
    );
  return files;
}
