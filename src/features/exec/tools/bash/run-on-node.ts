/** Has the gateway run a command line on a node, and formats what came of it for the model. */
import { z } from 'zod';
import {
  AppError,
  errorResult,
  present,
  textResult,
  type NodeCommandLine,
  type ToolContext,
  type ToolResult,
} from '../../../../sdk/index.ts';

/** What a node answers to `system.run`. */
const ran = z.looseObject({
  exitCode: z.number().nullish(),
  timedOut: z.boolean().nullish(),
  success: z.boolean().nullish(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
  error: z.string().nullish(),
});

const GOES_ON = 'Nodes run nothing in the background: the command was waited for.';

/** `goesOn`: the call wanted it to go on in the background. */
export async function runOnNode(
  command: NodeCommandLine,
  { goesOn }: { readonly goesOn: boolean },
  { rpc, signal, progress }: ToolContext,
): Promise<ToolResult> {
  const startedAt = performance.now();
  const payload = await answerOrRefusal(command, () => rpc('node.run', present({ ...command }), { signal, progress }));
  if ('isError' in payload) return payload;
  const read = ran.safeParse(payload.value);
  if (!read.success) return errorResult('The node answered something that is no outcome of a command.');
  const { exitCode, timedOut, stdout, stderr, error } = read.data;
  const isGood = exitCode === 0 && timedOut !== true;
  const output = [stdout, stderr].map((text) => text?.trimEnd() ?? '').filter(Boolean);
  const how = timedOut ? `timed out after ${command.commandTimeoutMs / 1000} seconds` : (error ?? endOf(exitCode));
  const text = [...(goesOn ? [GOES_ON] : []), output.join('\n') || '(no output)', ...(isGood ? [] : [how])].join(
    '\n\n',
  );
  const details = {
    status: isGood ? 'completed' : 'failed',
    host: 'node',
    ...present({ node: command.node, exitCode: exitCode ?? undefined, cwd: command.cwd }),
    durationMs: Math.round(performance.now() - startedAt),
    aggregated: [...output, ...(error ? [error] : [])].join('\n'),
  };
  return isGood ? textResult(text, details) : errorResult(text, details);
}

const endOf = (exitCode: number | null | undefined): string =>
  typeof exitCode === 'number' ? `exited with code ${exitCode}` : 'aborted before exit code was captured';

async function answerOrRefusal(
  { node }: NodeCommandLine,
  ask: () => Promise<unknown>,
): Promise<{ readonly value: unknown } | (ToolResult & { readonly isError: true })> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'aborted' || error.code === 'internal') throw error;
    const code = error.details?.['code'] ?? error.code;
    return {
      ...errorResult(`host=node node=${node ?? 'auto'}: ${error.message}`, { status: 'refused', code }),
      isError: true,
    };
  }
}
