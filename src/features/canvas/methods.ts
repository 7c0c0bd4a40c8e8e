/** Gateway methods `canvas.*`: create addresses, and manage documents. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { documentUrl } from '../../core/canvas.ts';
import { present } from '../../core/present.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import { positive, sessionKey, text } from '../../protocol/fields.ts';
import type { CanvasAnswers, WireDocument } from './answers.ts';
import type { CanvasService } from './canvas-service.ts';
import type { Manifest } from './documents/manifest.ts';

const id = text.max(128);
const DEFAULT_LIMIT = 200;

export const canvasSpecs = defineMethods({
  'canvas.open': {
    summary: 'Returns an address at which a document, a file of a canvas folder or a page of an answer can be framed.',
    needs: 'operator.read',
    params: z.strictObject({
      url: text.max(4096).describe('As a message has it: `/__openclaw__/canvas/…`, or an https address.'),
      agentId: text.optional().describe('Whose canvas folder, where it is a file of one. Default: the default agent.'),
    }),
  },
  'canvas.documents.list': {
    summary: 'Lists the documents agents made, newest first.',
    needs: 'operator.read',
    params: z.strictObject({
      sessionKey: sessionKey.optional(),
      limit: positive.max(1000).optional().describe(`Default: ${DEFAULT_LIMIT}.`),
    }),
  },
  'canvas.documents.get': {
    summary: 'Describes a document: its files and its earlier versions.',
    needs: 'operator.read',
    params: z.strictObject({ id }),
  },
  'canvas.documents.delete': {
    summary: 'Removes a document with all its versions.',
    needs: 'operator.write',
    params: z.strictObject({ id }),
  },
  'canvas.documents.restore': {
    summary: 'Makes an earlier version of a document the current one; what it replaces is kept as a version.',
    needs: 'operator.write',
    params: z.strictObject({ id, version: positive }),
  },
});

export const canvasMethods = (canvas: CanvasService): MethodWorks<typeof canvasSpecs, CanvasAnswers> => ({
  'canvas.open': ({ url, agentId }) => {
    const agents = canvas.folders.agents();
    if (agentId !== undefined && !agents.includes(agentId))
      throw new AppError('not_found', `Unknown agent ${agentId}.`);
    return canvas.open(url, agentId ?? agents[0]!);
  },
  'canvas.documents.list': async ({ sessionKey: key, limit = DEFAULT_LIMIT }) => {
    const all = (await canvas.store.all()).filter(
      (one) => key === undefined || one.retentionScope === key.toLowerCase(),
    );
    return { documents: all.slice(0, limit).map(wireOf), total: all.length };
  },
  'canvas.documents.get': async (params) => {
    const found = await canvas.existing(params.id);
    return {
      document: wireOf(found),
      versions: await canvas.store.versions(params.id),
      assets: found.assets.map(({ logicalPath, contentType, bytes }) => ({ path: logicalPath, contentType, bytes })),
    };
  },
  'canvas.documents.delete': async (params) => {
    const deleted = await canvas.store.remove(params.id);
    if (deleted) canvas.changed(params.id);
    return { id: params.id, deleted };
  },
  'canvas.documents.restore': async ({ id: named, version }) => ({
    document: wireOf(await restored(canvas, named, version)),
  }),
});

/** Rejects with `not_found` naming the versions there are. */
export async function restored(canvas: CanvasService, id: string, version: number): Promise<Manifest> {
  await canvas.existing(id);
  const found = await canvas.store.restore(id, version);
  if (!found) {
    const kept = await canvas.store.versions(id);
    throw new AppError(
      'not_found',
      `Version ${version} is not kept. ` +
        (kept.length === 0 ? 'There are no earlier versions.' : `Kept: ${kept.join(', ')}.`),
    );
  }
  canvas.changed(id);
  return found;
}

export const wireOf = ({
  id: named,
  kind,
  title,
  version,
  createdAt,
  bytes,
  agentId,
  retentionScope,
}: Manifest): WireDocument =>
  present({
    id: named,
    kind,
    title,
    version,
    createdAt,
    bytes,
    agentId,
    sessionKey: retentionScope,
    url: documentUrl(named),
  });
