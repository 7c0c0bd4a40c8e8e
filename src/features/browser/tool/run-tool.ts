/** Runs one action of the tool with the rights of its session, and formats the result for the model. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { attachingNothing } from '../../../core/structured-media.ts';
import { readBytesIfExists } from '../../../platform/files.ts';
import { pictureForModel } from '../../../platform/pictures/shrink-for-model.ts';
import type { BrowserConfig } from '../config.ts';
import type { Caller } from '../caller.ts';
import type { FileToGive } from '../driver/hooks.ts';
import { text, type Params } from '../web-page/act-request.ts';
import type { BrowserCall } from '../routes/route.ts';
import type { CallAway, NodeBrowser } from './node-browser.ts';
import { outsideAnswer, plainAnswer, snapshotAnswer, type ToolAnswer } from './answers.ts';
import { inert } from './untrusted-content.ts';
import { readAction, toolCall, type Action } from './tool-call.ts';

export interface ToolRequest {
  readonly params: Params;
  readonly files?: readonly FileToGive[];
  readonly signal: AbortSignal;
}

export interface RunToolDeps {
  readonly caller: Caller;
  config(): BrowserConfig;
  /** The sandbox of the session; undefined: it has none. */
  readonly sandbox: { readonly network: boolean } | undefined;
  /** The maximum length of the longer side of pictures, in pixels; undefined: the usual limit of models. */
  maxSide(): number | undefined;
  /** Reads a file of the caller by the name its agent uses. */
  shown(path: string): string;
  call(call: BrowserCall, by: { readonly caller: Caller; readonly signal: AbortSignal }): Promise<Params>;
  /** Resolves `controlUrl`: another machine, or undefined for this one. Rejects with `denied`. */
  elsewhere(controlUrl: string | undefined): CallAway | undefined;
  readonly node: NodeBrowser;
}

/** Actions whose answers contain no text of a page, except notices of what happened in it meanwhile. */
const PLAIN: ReadonlySet<Action> = new Set([
  'status',
  'start',
  'stop',
  'profiles',
  'create-profile',
  'delete-profile',
  'reset-profile',
  'dialog',
  'focus',
]);

/** Rejects with `AppError` and a message for the model. */
export async function runTool({ params, files, signal }: ToolRequest, deps: RunToolDeps): Promise<ToolAnswer> {
  try {
    checkTarget(params, deps);
    const action = readAction(text(params, 'action') ?? '');
    const call = { ...toolCall(action, params), ...present({ files }) };
    const onNode = nodeOf(params, deps);
    if (onNode) {
      const said = attachingNothing(await onNode(call, signal)) as Params;
      return await answerOf(action, said, { ...deps, isForeign: true });
    }
    const away = deps.elsewhere(text(params, 'controlUrl'));
    const answer = away
      ? (attachingNothing(await away(call, signal)) as Params)
      : await deps.call(call, { caller: deps.caller, signal });
    return await answerOf(action, answer, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The error message may quote the page.
    throw new AppError(error.code, inert(error.message), { cause: error, details: { ...error.details } });
  }
}

/**
 * The target of the call: the gateway's own machine, unless the call asks for another target that does not exist here.
 */
function checkTarget(params: Params, { config, sandbox }: RunToolDeps): void {
  if (!config().enabled)
    throw new AppError('denied', 'The browser is switched off (browser.enabled). The owner can switch it on.');
  const target = text(params, 'target')?.trim();
  if (target !== undefined && !['host', 'sandbox', 'node'].includes(target))
    throw new AppError('invalid', 'target must be host, sandbox or node.');
  if (text(params, 'node') !== undefined && target !== undefined && target !== 'node')
    throw new AppError('invalid', 'node goes with target node only: leave out one of them.');
  const isNode = target === 'node' || text(params, 'node') !== undefined;
  if (isNode && text(params, 'controlUrl') !== undefined)
    throw new AppError('invalid', 'Use one of controlUrl and target node.');
  if (isNode && sandbox)
    throw new AppError(
      'denied',
      'This session works in a sandbox, and the browser of a node is outside of it. Leave out target and node.',
    );
  if (target === 'sandbox' && !sandbox)
    throw new AppError(
      'unsupported',
      'This session has no sandbox. Leave out target: the browser runs beside the gateway.',
    );
  if (sandbox && !sandbox.network)
    throw new AppError(
      'denied',
      'This session works in a sandbox without network, and so does its browser. The owner can set sandbox.network.',
    );
  if (target === 'sandbox')
    throw new AppError(
      'unsupported',
      'There is no browser inside the sandbox. Leave out target: the one beside the gateway reaches what ' +
        'browser.ssrfPolicy lets pages reach.',
    );
}

/** Whether the call goes to a node; undefined: it does not. */
function nodeOf(params: Params, { node, sandbox }: RunToolDeps): CallAway | undefined {
  const name = text(params, 'node');
  if (name !== undefined || text(params, 'target')?.trim() === 'node') return node.named(name);
  const isPlaced = ['target', 'controlUrl', 'profile'].some((field) => text(params, field) !== undefined);
  return isPlaced || sandbox ? undefined : node.usual();
}

/** `isForeign`: the answer comes from another machine, so all of it is untrusted. */
async function answerOf(
  action: Action,
  answer: Params,
  deps: RunToolDeps & { readonly isForeign?: boolean },
): Promise<ToolAnswer> {
  const { shown } = deps;
  if (PLAIN.has(action) && !deps.isForeign && answer['notices'] === undefined) return plainAnswer(answer);
  if (action === 'snapshot') {
    const made = snapshotAnswer(answer);
    const path = text(answer, 'imagePath');
    return path === undefined ? made : { ...made, ...(await pictureAt(path, text(answer, 'imageType'), deps)) };
  }
  if (action === 'screenshot') {
    const path = pathOf(answer);
    return {
      text: `MEDIA:${shown(path)}`,
      details: { ...answer, path: shown(path), media: { outbound: false } },
      ...(await pictureAt(path, text(answer, 'mimeType'), deps)),
    };
  }
  if (action === 'pdf') {
    const path = shown(pathOf(answer));
    return { text: `FILE:${path}`, details: { ...answer, path } };
  }
  return outsideAnswer(answer);
}

function pathOf(answer: Params): string {
  const path = text(answer, 'path');
  if (path === undefined) throw new AppError('bad_response', 'The browser named a file and did not send it.');
  return path;
}

/** The file keeps its size; the model gets a smaller copy. */
async function pictureAt(
  path: string,
  mimeType: string | undefined,
  { shown, maxSide }: Pick<RunToolDeps, 'shown' | 'maxSide'>,
): Promise<Pick<ToolAnswer, 'picture'>> {
  const data = await readBytesIfExists(path);
  if (!data) return {};
  const side = maxSide();
  const fit = side === undefined ? undefined : await pictureForModel(data, { maxSide: side });
  const [bytes, mime] = fit?.ok ? [fit.data, fit.mime] : [data, mimeType ?? 'image/png'];
  return { picture: { data: Buffer.from(bytes).toString('base64'), mimeType: mime, path: shown(path) } };
}
