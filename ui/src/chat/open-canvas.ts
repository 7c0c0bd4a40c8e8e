/** Requests the address of a preview from the gateway; it contains a token that expires. */
import type { FramedCanvas } from '../../../src/protocol/framed-canvas.ts';
import type { App } from '../app.ts';

export interface OpenedCanvas {
  readonly src: string;
  readonly sandbox: string;
  readonly title?: string;
  readonly preferredHeight?: number;
}

/** Rejects with the error of the gateway, e.g. that the document was removed. */
export async function openCanvas(url: string, app: App): Promise<OpenedCanvas> {
  const answer = await app.connection.request<FramedCanvas>('canvas.open', { url });
  const { path, port, url: external, sandbox, title, preferredHeight } = answer;
  const address = path === undefined ? new URL(external!) : new URL(path, httpOf(app.connection.url));
  if (port !== undefined) address.port = String(port);
  return {
    src: address.href,
    sandbox,
    ...(title === undefined ? {} : { title }),
    ...(preferredHeight ? { preferredHeight } : {}),
  };
}

/** The gateway may be another one than the one that served the page. */
const httpOf = (socket: string): string => socket.replace(/^ws/, 'http');
