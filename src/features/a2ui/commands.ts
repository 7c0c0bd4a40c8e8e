/** The commands `canvas …`: manage surfaces and the links that open them. */
import type { Call } from '../../cli/command.ts';
import { columns } from '../../cli/columns.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { readTextIfExists } from '../../platform/files.ts';
import type { A2uiAnswers } from './answers.ts';
import { textMessages } from './check/read-jsonl.ts';
import { MAX_JSONL_CHARS } from './limits.ts';

export async function push({ flags, io, gateway }: Call): Promise<void> {
  const jsonl = await messagesOf(flags, io);
  const link = await gateway();
  const answer = await link.request<A2uiAnswers['a2ui.push']>(
    'a2ui.push',
    present({ jsonl, sessionKey: flags.text('session') }),
  );
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  for (const warning of answer.warnings) io.err(`Warning: ${warning}`);
  const { messages, version, viewers } = answer;
  io.out(`canvas a2ui push ok (v${version}, ${messages} message(s))`);
  if (viewers === 0) io.err(`Nobody has this canvas open; \`${OWN_COMMAND} canvas link\` prints its address.`);
}

/** Exactly one of the two. */
async function messagesOf(flags: Call['flags'], io: Call['io']): Promise<string> {
  const [file, text] = [flags.text('jsonl'), flags.text('text')];
  if ((file === undefined) === (text === undefined))
    throw new AppError('invalid', 'Give either --jsonl <file> or --text <text>.');
  if (text !== undefined) return textMessages(text);
  if (file === '-') return readAll(io);
  const content = await readTextIfExists(file!);
  if (content === undefined) throw new AppError('not_found', `File not found: ${file!}.`);
  return content;
}

async function readAll({ stdin }: Pick<Call['io'], 'stdin'>): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > MAX_JSONL_CHARS)
      throw new AppError('too_large', 'Standard input is larger than 2 MiB; push it in parts.');
  }
  return text;
}

export async function reset({ flags, io, gateway }: Call): Promise<void> {
  const link = await gateway();
  const answer = await link.request<A2uiAnswers['a2ui.reset']>(
    'a2ui.reset',
    present({ surfaceId: flags.text('surface'), sessionKey: flags.text('session') }),
  );
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  const { surfaces } = answer;
  io.out(
    surfaces.length === 0 ? 'canvas a2ui reset ok (it was empty)' : `canvas a2ui reset ok (${surfaces.join(', ')})`,
  );
}

export async function list({ flags, io, gateway }: Call): Promise<void> {
  const { canvases } = await (await gateway()).request<A2uiAnswers['a2ui.list']>('a2ui.list', {});
  if (flags.has('json')) return io.out(JSON.stringify({ canvases }, null, 2));
  if (canvases.length === 0) return io.out('No canvas holds a surface.');
  const rows = canvases.map(({ sessionKey, surfaces, updatedAt, viewers }) => [
    sessionKey,
    `${surfaces} ${surfaces === 1 ? 'surface' : 'surfaces'}`,
    `${viewers} ${viewers === 1 ? 'viewer' : 'viewers'}`,
    new Date(updatedAt).toISOString(),
  ]);
  io.out(columns(rows));
}

/** The address is a credential: who has it sees the canvas and acts on it. */
export async function link({ flags, io, gateway }: Call): Promise<void> {
  const connection = await gateway();
  const { path } = await connection.request<A2uiAnswers['a2ui.link']>(
    'a2ui.link',
    present({
      sessionKey: flags.text('session'),
      surfaceId: flags.text('surface'),
      renew: flags.has('renew') ? true : undefined,
    }),
  );
  const url = new URL(path, connection.url.replace(/^ws/, 'http')).href;
  io.out(flags.has('json') ? JSON.stringify({ url, path }, null, 2) : url);
}
