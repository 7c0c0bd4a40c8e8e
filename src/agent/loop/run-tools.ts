/** Runs the tool calls of one answer, in parallel where that is safe. The results keep the order of the calls. */
import { posix } from 'node:path';
import { asAppError } from '../../core/errors.ts';
import { errorResult, type Tool, type ToolResult } from '../../core/tool.ts';
import type { ImageBlock, TextBlock, ToolCallBlock, ToolResultMessage } from '../../core/transcript.ts';
import { readRecordedCheck } from '../../core/access-check.ts';
import { toolName } from '../../core/tool-pattern.ts';
import type { AgentEvent } from '../../core/turn.ts';
import type { Timer } from '../../platform/clock.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { parseToolInput } from '../schema/parse-tool-input.ts';
import { defaultLimits, type LoopInput } from './loop-input.ts';
import { clipMiddle } from '../../core/clip-middle.ts';
import { present } from '../../core/present.ts';

export interface ToolRun {
  readonly input: LoopInput;
  readonly calls: readonly PreparedCall[];
  /** The answer is of an earlier run of the turn: its calls may have begun or ended then. */
  readonly resumed: boolean;
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

/** A call with its tool found and its arguments validated. `refusal` is returned to the model instead of a result. */
export type PreparedCall =
  | { readonly call: ToolCallBlock; readonly tool: Tool; readonly args: unknown }
  | { readonly call: ToolCallBlock; readonly refusal: string };

export function prepareCall(call: ToolCallBlock, tools: readonly Tool[]): PreparedCall {
  // models know some tools by other names
  const tool = tools.find((one) => one.name === call.name) ?? tools.find((one) => one.name === toolName(call.name));
  if (!tool)
    return {
      call,
      refusal: `Tool ${call.name} not found. Available tools: ${tools.map((one) => one.name).join(', ') || 'none'}.`,
    };
  const parsed = parseToolInput(tool, call.arguments);
  return parsed.ok ? { call, tool, args: parsed.input } : { call, refusal: parsed.error };
}

export const isReadOnly = (prepared: PreparedCall): boolean => 'refusal' in prepared || prepared.tool.readOnly === true;

/**
 * Calls that name the same path wait for each other unless both only read; everything else runs together, up to the
 * limit.
 */
export async function runTools(run: ToolRun): Promise<readonly ToolResultMessage[]> {
  const semaphore = createSemaphore(run.input.limits?.toolConcurrency ?? defaultLimits.toolConcurrency);
  const running: Promise<ToolResultMessage>[] = [];
  for (const prepared of run.calls) {
    const before = running.filter((_, earlier) => collide(run.calls[earlier]!, prepared));
    const begin = (): Promise<ToolResultMessage> => semaphore.run(() => runCall(run, prepared));
    running.push(before.length > 0 ? Promise.allSettled(before).then(begin) : begin());
  }
  return Promise.all(running);
}

function collide(earlier: PreparedCall, later: PreparedCall): boolean {
  if (isReadOnly(earlier) && isReadOnly(later)) return false;
  if (alone(earlier) || alone(later)) return !isReadOnly(earlier) && !isReadOnly(later);
  const path = pathOf(later);
  return path !== undefined && path === pathOf(earlier);
}

const alone = (prepared: PreparedCall): boolean => 'tool' in prepared && prepared.tool.alone === true;

function pathOf(prepared: PreparedCall): string | undefined {
  const path = 'args' in prepared ? (prepared.args as { path?: unknown } | null)?.path : undefined;
  return typeof path === 'string' ? posix.normalize(path) : undefined;
}

async function runCall(run: ToolRun, prepared: PreparedCall): Promise<ToolResultMessage> {
  const { call } = prepared;
  const { clock, steps } = run.input;
  const known = run.resumed ? steps.recalledTool(call.id) : undefined;
  run.emit({
    type: 'tool.started',
    callId: call.id,
    tool: call.name,
    input: 'args' in prepared ? prepared.args : call.arguments,
  });
  const startedAt = clock.monotonic();
  const result =
    known?.state === 'finished'
      ? known.result
      : await toMessage(call, await outcomeOf(run, prepared, known?.state === 'unknown'), run.input);
  const ms = Math.round(clock.monotonic() - startedAt);
  if (known?.state !== 'finished') await steps.toolFinished(result, ms);
  run.emit({ type: 'tool.ended', callId: call.id, tool: call.name, result, ms });
  return result;
}

async function outcomeOf(run: ToolRun, prepared: PreparedCall, startedBefore: boolean): Promise<ToolResult> {
  if ('refusal' in prepared) return errorResult(prepared.refusal);
  if (startedBefore && !prepared.tool.readOnly && !prepared.tool.resumes?.(prepared.args))
    return errorResult(unknownOutcome(prepared.call.name), { status: 'unknown' });
  if (run.signal.aborted) return errorResult('Not run: the turn was stopped.');
  // A call that has not begun gives way to what the person just said.
  if (run.input.steerWaiting()) return errorResult('Skipped due to queued user message.');
  return runTool(run, prepared);
}

const unknownOutcome = (name: string): string =>
  `The gateway was restarted while this ${name} call was running. Its outcome is unknown: it may have ` +
  'happened fully, partly or not at all. ' +
  ('Do not repeat it blindly. First look at what it would have changed (read the file, list the state), then ' +
    'do only what is missing.');

/** One of the places that catch everything: whatever a tool throws becomes a result the model can read. */
async function runTool(
  { input, signal, emit }: ToolRun,
  { call, tool, args }: Extract<PreparedCall, { tool: Tool }>,
): Promise<ToolResult> {
  const progress = (text: string): void => emit({ type: 'tool.progress', callId: call.id, tool: tool.name, text });
  using abandoned = graceAfterAbort(input, signal);
  try {
    const stopped = abandoned.promise.then(() =>
      errorResult(tool.readOnly ? 'Stopped.' : `Stopped while ${tool.name} was running: it may have taken effect.`, {
        status: 'aborted',
      }),
    );
    return await Promise.race([tool.run(args, { ...input.toolContext(call.id, tool), signal, progress }), stopped]);
  } catch (caught) {
    const error = asAppError(caught);
    input.log.warn('tool.failed', { tool: tool.name, code: error.code, error: error.message });
    const access = readRecordedCheck(error.details?.['access']);
    return errorResult(error.message || `${tool.name} failed.`, present({ code: error.code, access }));
  }
}

/** Resolves when the turn was stopped and the tool has had its time to end by itself. */
function graceAfterAbort(
  { clock, limits }: LoopInput,
  signal: AbortSignal,
): Disposable & { readonly promise: Promise<void> } {
  const over = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  const onAbort = (): void => {
    timer = clock.setTimeout(over.resolve, limits?.toolGraceMs ?? defaultLimits.toolGraceMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    promise: over.promise,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', onAbort);
      timer?.cancel();
    },
  };
}

async function toMessage(
  call: ToolCallBlock,
  result: ToolResult,
  { clock, limits }: LoopInput,
): Promise<ToolResultMessage> {
  const details = result.media?.length
    ? { ...(result.details as object | undefined), media: result.media }
    : result.details;
  const room = limits?.toolResultChars ?? defaultLimits.toolResultChars;
  const clipped = await Promise.all(
    result.content.map((block) => (block.type === 'text' ? clipBlock(block, room) : fitting(block, call.name))),
  );
  return present({
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: clipped,
    isError: result.isError === true,
    details,
    timestamp: clock.now(),
  });
}

/** A picture that no vendor accepts is shrunk, or replaced by a note. */
async function fitting(block: ImageBlock, label: string): Promise<ImageBlock | TextBlock> {
  const { shrinkForModel } = await import('../../platform/pictures/shrink-for-model.ts');
  return shrinkForModel(block, { label });
}

const clipBlock = (block: TextBlock, room: number): TextBlock =>
  block.text.length <= room
    ? block
    : {
        type: 'text',
        text: clipMiddle(block.text, room, (cut) => `\n[… ${cut} characters of this result were left out …]\n`),
      };
