/** `canvas list|open|delete|restore`: manages the documents of agents. */
import type { Call } from '../../cli/command.ts';
import { listing } from '../../cli/columns.ts';
import { AppError } from '../../core/errors.ts';
import { documentUrl } from '../../core/canvas.ts';
import { present } from '../../core/present.ts';
import { sizeText } from '../../core/size-text.ts';
import type { CanvasAnswers } from './answers.ts';

const print = ({ flags, io }: Call, answer: object, text: string): void =>
  io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : text);

export async function canvasList(call: Call): Promise<void> {
  const answer = await (await call.gateway()).request<CanvasAnswers['canvas.documents.list']>(
    'canvas.documents.list',
    present({ sessionKey: call.flags.text('session') }),
  );
  const rows = answer.documents.map((one) => [
    one.id,
    String(one.version),
    sizeText(one.bytes),
    one.createdAt.slice(0, 16).replace('T', ' '),
    one.title ?? '',
  ]);
  print(call, answer, listing(['document', 'version', 'size', 'changed (UTC)', 'title'], rows, 'No documents.'));
}

export async function canvasOpen(call: Call): Promise<void> {
  const link = await call.gateway();
  const [document] = call.args;
  const answer = await link.request<CanvasAnswers['canvas.open']>(
    'canvas.open',
    present({
      url: document === undefined ? '/__openclaw__/canvas/' : documentUrl(document),
      agentId: call.flags.text('agent'),
    }),
  );
  const address = new URL(answer.path!, link.url.replace(/^ws/, 'http'));
  if (answer.port !== undefined) address.port = String(answer.port);
  print(call, answer, address.href);
}

export async function canvasDelete(call: Call): Promise<void> {
  const [id] = call.args;
  const answer = await (await call.gateway()).request<CanvasAnswers['canvas.documents.delete']>(
    'canvas.documents.delete',
    { id },
  );
  if (!answer.deleted) throw new AppError('not_found', `Document not found: ${id}.`);
  print(call, answer, `Removed ${id}.`);
}

export async function canvasRestore(call: Call): Promise<void> {
  const link = await call.gateway();
  const [id] = call.args;
  const { versions } = await link.request<CanvasAnswers['canvas.documents.get']>('canvas.documents.get', { id });
  const version = call.flags.number('version') ?? versions.at(-1);
  if (version === undefined) throw new AppError('not_found', `No earlier version of ${id} is kept.`);
  const answer = await link.request<CanvasAnswers['canvas.documents.restore']>('canvas.documents.restore', {
    id,
    version,
  });
  print(call, answer, `Restored version ${version} of ${id} as version ${answer.document.version}.`);
}
