/** `gateway call`: one method, its answer as JSON. */
import { AppError } from '../../core/errors.ts';
import type { Call } from '../command.ts';

export async function gatewayCall(call: Call): Promise<void> {
  const params = parseParams(call.flags.text('params'));
  const timeoutMs = call.flags.number('timeout');
  const link = await call.gateway();
  const answer = await link.request<unknown>(call.args[0]!, params, timeoutMs === undefined ? {} : { timeoutMs });
  call.io.out(JSON.stringify(answer ?? null, null, 2));
}

function parseParams(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid', `--params is not JSON: ${(error as SyntaxError).message}`, { cause: error });
  }
}
