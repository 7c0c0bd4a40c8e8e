/** The commands `nodes …`: manage nodes and pairing requests, and invoke commands. */
import { listing } from '../../cli/columns.ts';
import type { Call } from '../../cli/command.ts';
import { ago } from '../../cli/durations.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { uuid } from '../../platform/ids.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import type { NodeView, WireNodeRequest, WirePairedNode } from './answers.ts';

interface Pairing {
  readonly pending: readonly WireNodeRequest[];
  readonly paired: readonly WirePairedNode[];
}

const ask = async <T>(call: Call, method: string, params: object = {}): Promise<T> =>
  (await call.gateway()).request<T>(method, params);

const nameOf = ({ displayName, nodeId }: Pick<NodeView, 'displayName' | 'nodeId'>): string =>
  visibleLine(displayName ?? nodeId);

export async function nodesStatus(call: Call): Promise<void> {
  const { nodes } = await ask<{ readonly nodes: readonly NodeView[] }>(call, 'node.list');
  if (call.flags.has('json')) return call.io.out(JSON.stringify({ nodes }, null, 2));
  const rows = nodes.map((node) => [
    node.nodeId.slice(0, 12),
    nameOf(node),
    visibleLine(node.platform ?? ''),
    node.connected ? 'connected' : `last seen ${ago(node.lastSeenAtMs)}`,
    stateOf(node),
    visibleLine(node.caps.join(', ')),
  ]);
  call.io.out(listing(['node', 'name', 'platform', 'connection', 'approval', 'offers'], rows, 'No nodes.'));
  for (const { requestId, displayName, nodeId } of nodes.filter((one) => one.requestId !== undefined))
    call.io.out(
      `\n${visibleLine(displayName ?? nodeId)} waits for approval: ` +
        `\`${OWN_COMMAND} nodes pending\`, then \`${OWN_COMMAND} nodes approve ${requestId}\`.`,
    );
}

const stateOf = ({ approvalState }: NodeView): string =>
  ({
    approved: 'approved',
    'pending-approval': 'waits',
    'pending-reapproval': 'offers more',
    unapproved: 'not approved',
  })[approvalState];

export async function nodesDescribe(call: Call): Promise<void> {
  const node = await ask<NodeView>(call, 'node.describe', { nodeId: call.args[0] });
  const { io, flags } = call;
  if (flags.has('json')) return io.out(JSON.stringify(node, null, 2));
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['name', nameOf(node)],
    ['id', node.nodeId],
    ['platform', [node.platform, node.version].filter(Boolean).join(' ')],
    ['address', node.remoteIp],
    ['connection', node.connected ? `connected, ${ago(node.connectedAtMs)}` : `last seen ${ago(node.lastSeenAtMs)}`],
    ['approval', stateOf(node)],
    ['commands', node.commands.join(', ') || 'none'],
    ['in use', node.inUse.map(({ what, by }) => `${what}, for ${visibleLine(by)}`).join('; ') || 'nothing'],
  ];
  for (const [label, value] of lines) if (value) io.out(`${label.padEnd(12)}${visibleLine(value)}`);
  for (const [command, why] of Object.entries(node.unavailable ?? {}))
    io.out(`not offered ${visibleLine(`${command}: ${why}`)}`);
}

export async function nodesPending(call: Call): Promise<void> {
  const { pending } = await ask<Pairing>(call, 'node.pair.list');
  const { io, flags } = call;
  if (flags.has('json')) return io.out(JSON.stringify({ pending }, null, 2));
  if (pending.length === 0) return io.out('No requests.');
  for (const one of pending) {
    const more = one.isRepair ? 'paired already, offers more' : `asked ${ago(one.ts)}`;
    io.out(`${nameOf(one)} (${visibleLine([one.platform, one.remoteIp].filter(Boolean).join(', '))}), ${more}`);
    io.out(`  code     ${one.nodeId.slice(0, 12)}`);
    io.out(`  offers   ${visibleLine(one.commands.join(', ') || 'no commands')}`);
    io.out(`  needs    ${one.requiredApproveScopes.join(', ')}`);
    io.out(`  approve  ${OWN_COMMAND} nodes approve ${one.requestId}`);
  }
}

export const nodesApprove = (call: Call): Promise<void> =>
  decide(call, 'node.pair.approve', { requestId: call.args[0] }, 'Approved.');
export const nodesReject = (call: Call): Promise<void> =>
  decide(call, 'node.pair.reject', { requestId: call.args[0] }, 'Rejected.');
export const nodesRename = (call: Call): Promise<void> =>
  decide(call, 'node.rename', { nodeId: call.args[0], displayName: call.args[1] }, 'Renamed.');
export const nodesRemove = (call: Call): Promise<void> =>
  decide(call, 'node.pair.remove', { nodeId: call.args[0] }, 'Removed; to come back it needs both approvals.');

async function decide(call: Call, method: string, params: object, done: string): Promise<void> {
  const answer = await ask<unknown>(call, method, params);
  call.io.out(call.flags.has('json') ? JSON.stringify(answer, null, 2) : done);
}

async function invoke(call: Call, command: string, params: object, timeoutMs?: number): Promise<unknown> {
  const input = present({ nodeId: call.args[0], command, params, timeoutMs, idempotencyKey: uuid() });
  return (await ask<{ readonly payload: unknown }>(call, 'node.invoke', input)).payload;
}

export async function nodesInvoke(call: Call): Promise<void> {
  const params = jsonObject(call.flags.text('params') ?? '{}');
  const command = call.args[1]!;
  const payload = await invoke(call, command, params, call.flags.number('timeout'));
  if (mediaOf(payload)) return write(call, { command, kind: command.replaceAll('.', '-'), payload });
  call.io.out(shownJson(payload));
}

/** What a node answered: nothing in it reaches the terminal as a command to it, and it stays JSON. */
const shownJson = (payload: unknown): string =>
  JSON.stringify(payload, null, 2).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\n'
      ? char
      : Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
          '',
        ),
  );

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new AppError('invalid', '--params: write a JSON object, e.g. \'{"bins": ["git"]}\'.');
}

export async function nodesNotify(call: Call): Promise<void> {
  const payload = await invoke(call, 'system.notify', present({ title: call.flags.text('title'), body: call.args[1] }));
  call.io.out(call.flags.has('json') ? JSON.stringify(payload) : 'Shown.');
}

export const nodesSnap = (call: Call): Promise<void> =>
  saved(call, 'camera.snap', {
    kind: 'camera',
    params: present({ format: 'jpg', facing: call.flags.text('facing'), deviceId: call.flags.text('device') }),
  });

export async function nodesRecord(call: Call): Promise<void> {
  const seconds = call.flags.number('seconds');
  const params = present({ format: 'mp4', durationMs: seconds === undefined ? undefined : seconds * 1000 });
  if (call.flags.has('camera')) return saved(call, 'camera.clip', { kind: 'clip', params });
  return saved(call, 'screen.record', { kind: 'screen', params });
}

interface Media {
  readonly format: string;
  readonly base64: string;
}

/** Of an answer that is a picture or a recording. */
function mediaOf(payload: unknown): Media | undefined {
  const { format, base64 } = (payload ?? {}) as Partial<Media>;
  if (typeof base64 !== 'string' || typeof format !== 'string') return undefined;
  return /^(?:jpg|jpeg|png|mp4|m4a|webm)$/.test(format) ? { format, base64 } : undefined;
}

interface Captured {
  readonly kind: string;
  readonly params: object;
}

const saved = async (call: Call, command: string, { kind, params }: Captured): Promise<void> =>
  write(call, { command, kind, payload: await invoke(call, command, params) });

interface Writing {
  readonly command: string;
  /** The file is called after it. */
  readonly kind: string;
  readonly payload: unknown;
}

async function write(call: Call, { command, kind, payload }: Writing): Promise<void> {
  const media = mediaOf(payload);
  if (!media) throw new AppError('bad_response', `invalid ${command} payload: the node sent no file.`);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = call.flags.text('out') ?? `${kind}-${stamp}.${media.format}`;
  const data = Buffer.from(media.base64, 'base64');
  await writeFileAtomic(path, data, { mode: 0o600 });
  call.io.out(call.flags.has('json') ? JSON.stringify({ path, bytes: data.length }) : `Wrote ${path}.`);
}

export async function nodesLocation(call: Call): Promise<void> {
  const place = (await invoke(call, 'location.get', {})) as Readonly<Record<string, unknown>>;
  if (call.flags.has('json')) return call.io.out(shownJson(place));
  const { lat, lon, accuracyMeters, source, timestamp } = place;
  const facts = [`±${String(accuracyMeters)} m`, source, timestamp].map(String).join(', ');
  call.io.out(visibleLine(`${String(lat)}, ${String(lon)} (${facts})`));
}
