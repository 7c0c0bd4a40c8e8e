/** `gateway call`: calls one method and prints its result as JSON. */
import { AppError } from '../../core/errors.ts';
import { showsSecrets } from '../secret-output.ts';
import type { Call } from '../command.ts';

export async function gatewayCall(call: Call): Promise<void> {
  const params = parseParams(call.flags.text('params'));
  const timeoutMs = call.flags.number('timeout');
  const link = await call.gateway();
  const answer = await link.request<unknown>(call.args[0]!, params, timeoutMs === undefined ? {} : { timeoutMs });
  const shown = showsSecrets(call);
  call.io.out(JSON.stringify(answer ?? null, shown ? undefined : withoutToken, 2));
}

/** A method that makes a token answers with it. */
const withoutToken = (key: string, value: unknown): unknown =>
  /^(?:device)?token$/i.test(key) && typeof value === 'string'
    ? '(printed to a terminal, or with --show-token)'
    : value;

function parseParams(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid', `--params is not JSON: ${(error as SyntaxError).message}`, { cause: error });
  }
}
