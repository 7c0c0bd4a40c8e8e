/** The canvas as one service: documents, their addresses, and the servers. */
import { join } from 'node:path';
import type { EmbedSource } from '../../core/canvas.ts';
import { existing, findEmbed, openAddress } from './canvas-addresses.ts';
import type { CanvasDeps } from './canvas-deps.ts';
import { createCapabilities } from './capability.ts';
import { createDocumentStore } from './documents/document-store.ts';

export type CanvasService = ReturnType<typeof createCanvas>;

export function createCanvas(deps: CanvasDeps) {
  const { clock, log, config, controlUi, folders } = deps;
  const folder = join(deps.stateDir, 'canvas');
  const store = createDocumentStore({ folder, clock, log, limits: () => config().documents });
  const capabilities = createCapabilities(folder, () => clock.now());
  const own: { port: number | undefined } = { port: undefined };
  const addresses = { config, controlUi, folders, log, store, capabilities, ownPort: () => own.port };
  const embeds: EmbedSource = { find: (embed, { sessionKey }) => findEmbed(embed, sessionKey, addresses) };
  return {
    store,
    capabilities,
    folders,
    embeds,
    changed: deps.changed,
    existing: (id: string) => existing(id, store),
    /** An address of the canvas, or an https page, as a client frames it. Rejects with `not_found`, `denied`. */
    open: (url: string, agentId: string) => openAddress(url, agentId, addresses),
    /** Set when its own port is open, and when it is closed. */
    listensOn: (port: number | undefined): void => void (own.port = port),
    rules: () => ({
      sandbox: controlUi().embedSandbox,
      external: controlUi().allowExternalEmbedUrls,
      liveReload: config().liveReload,
    }),
  };
}
