/** `browser …`: runs one call of the control service through the gateway; prints text or JSON. */
import { basename } from 'node:path';
import type { Call, Run } from '../../../cli/command.ts';
import { AppError } from '../../../core/errors.ts';
import { readBytesIfExists } from '../../../platform/files.ts';
import { CALLS } from './call-of.ts';
import { answerText } from './answer-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** Longer than the timeout of any action. */
const TIMEOUT_MS = 150_000;

export const browserCommand =
  (name: string): Run =>
  async (call) => {
    const { method, path, params: input } = CALLS[name]!(call);
    const common = { profile: call.flags.text('profile'), targetId: call.flags.text('target-id') };
    const files = name === 'upload' ? { files: await filesOf(call) } : {};
    const values = Object.fromEntries(
      Object.entries({ ...common, ...input, ...files }).filter(([, value]) => value !== undefined),
    );
    const params = { method, path, ...(method === 'POST' ? { body: values } : { query: values }) };
    const answer = await (await call.gateway()).request<Values>('browser.request', params, { timeoutMs: TIMEOUT_MS });
    call.io.out(call.flags.has('json') ? JSON.stringify(answer, null, 2) : answerText(name, answer));
  };

/** The file is read by the CLI, because the gateway may run on another machine. */
async function filesOf({ args }: Call): Promise<readonly Values[]> {
  const paths = (args[0] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  return Promise.all(
    paths.map(async (path) => {
      const data = await readBytesIfExists(path);
      if (!data) throw new AppError('not_found', `File not found: ${path}.`);
      return { name: basename(path), mimeType: 'application/octet-stream', data: data.toString('base64') };
    }),
  );
}
