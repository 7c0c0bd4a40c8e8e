/** `nodes`: finds paired devices, and uses their camera, screen, location, notifications and commands. */
import {
  AppError,
  defineTool,
  errorResult,
  present,
  textResult,
  type ToolContext,
  type ToolResult,
} from '../../../../sdk/index.ts';
import { cameraClip, cameraSnap, savedRecording, screenRecord, type InvokeNode } from './captures.ts';
import { isRecording } from './media.ts';
import { inert, inertValue } from '../../../../sdk/untrusted.ts';
import { adviceFor } from './advice.ts';
import { shown } from './shown.ts';
import { input, type NodesInput } from './input.ts';

interface Doing {
  readonly input: NodesInput;
  readonly ctx: ToolContext;
  readonly rpc: (method: string, params: object) => Promise<unknown>;
  readonly invoke: InvokeNode;
}
type Action = (doing: Doing) => Promise<ToolResult>;

export default defineTool<NodesInput>({
  name: 'nodes',
  summary: 'Use paired devices: camera, screen, location, notifications, commands',
  does: [['use', 'node']],
  description: [
    'Uses devices that are paired with this gateway. First `status` to see them, then `describe` for what one ' +
      'can do: commands, permissions, and why something is not offered.',
    'notify shows a message on the device. camera_snap takes pictures, camera_clip and screen_record record video; ' +
      'files are saved in the workspace (captures/, or outPath). location_get answers where the device is.',
    'run starts a program on the device; a person may have to approve it. invoke calls another command of the device.',
    'Use cameras, screens and places only when a person wants it. A phone whose app or page is in the ' +
      'background cannot record: ask its person to open it.',
  ].join('\n'),
  aliases: {
    nodeId: 'node',
    node_id: 'node',
    request_id: 'requestId',
    message: 'body',
    text: 'body',
    duration_ms: 'durationMs',
    out_path: 'outPath',
    device_id: 'deviceId',
  },
  input,
  resumes: ({ action }) => READS_ONLY.includes(action),
  available: ({ sandbox }) => sandbox?.workspaceAccess !== 'ro',
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    try {
      return await ACTION[input.action](doingOf(input, ctx));
    } catch (error) {
      if (error instanceof AppError && error.code !== 'aborted' && error.code !== 'internal')
        return failed(input, ctx, error);
      throw error;
    }
  },
});

/** They change nothing, so that they are run again after a crash. */
const READS_ONLY: readonly NodesInput['action'][] = ['status', 'describe', 'pending', 'camera_list', 'location_get'];

function doingOf(input: NodesInput, ctx: ToolContext): Doing {
  const [url, token] = [input.gatewayUrl?.trim() || undefined, input.gatewayToken?.trim() || undefined];
  const { signal } = ctx;
  const rpc: Doing['rpc'] = (method, params) =>
    ctx.rpc(method, params, { ...present({ url, token, timeoutMs: input.timeoutMs }), signal, progress: ctx.progress });
  const invoke: InvokeNode = async (command, params) => {
    const nodeId = nodeOf(input);
    // The call of the model is the key: run again after a crash it is the same, and a second picture is not.
    const idempotencyKey = `${ctx.turnId}:${ctx.callId}:${command}:${JSON.stringify(params)}`.slice(0, 512);
    const answer = (await rpc(
      'node.invoke',
      present({ nodeId, command, params, idempotencyKey, timeoutMs: input.invokeTimeoutMs }),
    )) as { readonly payload?: unknown };
    return answer.payload;
  };
  return { input, ctx, rpc, invoke };
}

const nodeOf = ({ node }: NodesInput): string => {
  const name = node?.trim();
  if (!name) throw new AppError('invalid', 'node required: a name or id from action "status".');
  return name;
};

const requestOf = ({ requestId }: NodesInput): string => {
  const id = requestId?.trim();
  if (!id) throw new AppError('invalid', 'requestId required: from action "pending".');
  return id;
};

const ACTION: Readonly<Record<NodesInput['action'], Action>> = {
  status: async ({ rpc }) => shown(await rpc('node.list', {})),
  describe: async ({ input, rpc }) => shown(await rpc('node.describe', { nodeId: nodeOf(input) })),
  pending: async ({ rpc }) => shown(await rpc('node.pair.list', {})),
  approve: async ({ input, rpc }) => shown(await rpc('node.pair.approve', { requestId: requestOf(input) })),
  reject: async ({ input, rpc }) => shown(await rpc('node.pair.reject', { requestId: requestOf(input) })),
  notify,
  camera_snap: ({ input, invoke, ctx }) => cameraSnap(input, invoke, ctx),
  camera_clip: async ({ input, invoke, ctx }) => cameraClip(input, invoke, ctx),
  camera_list: async ({ invoke }) => shown(await invoke('camera.list', {})),
  screen_record: async ({ input, invoke, ctx }) => screenRecord(input, invoke, ctx),
  location_get: async ({ input, invoke }) =>
    shown(
      await invoke(
        'location.get',
        present({
          maxAgeMs: input.maxAgeMs,
          timeoutMs: input.locationTimeoutMs,
          desiredAccuracy: input.desiredAccuracy,
        }),
      ),
    ),
  run,
  invoke: invokeAny,
};

async function notify({ input, invoke }: Doing): Promise<ToolResult> {
  const [title, body] = [input.title?.trim() || undefined, input.body?.trim() || undefined];
  if (title === undefined && body === undefined) return errorResult('title or body required');
  const { sound, priority, delivery } = input;
  await invoke('system.notify', present({ title, body, sound, priority, delivery }));
  return textResult(JSON.stringify({ ok: true }), { ok: true });
}

interface Ran {
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
  readonly success?: boolean;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly error?: string | null;
}

async function run({ input, rpc }: Doing): Promise<ToolResult> {
  const { command = [], cwd, env = [], commandTimeoutMs, invokeTimeoutMs, needsScreenRecording } = input;
  if (command.length === 0 || command[0]!.trim() === '')
    return errorResult('command required: program and arguments, e.g. ["uname","-a"].');
  const variables = env.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1)]);
  if (env.some((pair) => pair.indexOf('=') < 1)) return errorResult('env: write each variable as NAME=value.');
  const ran = (await rpc(
    'node.run',
    present({
      node: nodeOf(input),
      command,
      cwd: cwd?.trim() || undefined,
      env: env.length > 0 ? Object.fromEntries(variables) : undefined,
      commandTimeoutMs,
      invokeTimeoutMs,
      needsScreenRecording,
    }),
  )) as Ran | null;
  const result = shown(ran);
  const isGood = ran?.success === true || (ran?.exitCode === 0 && ran.timedOut !== true);
  return isGood ? result : { ...result, isError: true };
}

async function invokeAny({ input, invoke, ctx }: Doing): Promise<ToolResult> {
  const command = input.invokeCommand?.trim();
  if (!command) return errorResult('invokeCommand required: a command from action "describe".');
  const payload = await invoke(command, jsonObject(input.invokeParamsJson));
  return isRecording(command) ? savedRecording(command, payload, input, ctx) : shown(payload);
}

function jsonObject(text = ''): object {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError('invalid', 'invokeParamsJson: write a JSON object, e.g. {"bins":["git"]}.');
}

/** Which agent, node and action failed, why, and what helps. */
function failed({ action, node, gatewayUrl }: NodesInput, { route }: ToolContext, error: AppError): ToolResult {
  const [named, at] = [node?.trim() || 'auto', gatewayUrl?.trim() || 'default'];
  const place = `agent=${route.agentId} node=${named} gateway=${at} action=${action}`;
  const advice = adviceFor(error.details);
  // What went wrong is often told in the words of the node.
  return errorResult(`${place}: ${inert(error.message)}${advice ? ` ${advice}` : ''}`, {
    ...(inertValue(error.details ?? {}) as object),
    ...present({ reason: error.details?.['reason'] ?? error.code }),
  });
}
