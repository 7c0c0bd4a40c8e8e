/** Creates the nodes service of a gateway: pairing, connections, and invocations. */
import type { Log } from '../../core/log.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { ClientLink, ClientWatch } from '../../host/clients.ts';
import type { HostGateway } from '../../host/host.ts';
import type { Clock } from '../../platform/clock.ts';
import { uuid } from '../../platform/ids.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';
import type { NodeView, WireNodeRequest } from './answers.ts';
import type { NodesConfig } from './config.ts';
import { createConnectedNodes, type ConnectedNode, type ConnectedNodes } from './connected/connected-nodes.ts';
import { findNode } from './connected/find-node.ts';
import { inOrder, surfaceOf, viewOf, type KnownNode } from './connected/node-view.ts';
import { coalesceChanges } from './events/coalesce-changes.ts';
import { createExecRuns, type ExecRuns } from './events/exec-runs.ts';
import { SENSOR_OF } from './viewer/sensors.ts';
import { approveScopes, refusedCommand, usualTimeout } from './invoke/command-policy.ts';
import { createInvoker, type InvokeAnswer, type Invoker } from './invoke/invoker.ts';
import { coversSurface, REQUEST_TTL_MS } from './store/node-changes.ts';
import type { NodeRequest } from './store/node-record.ts';
import type { NodeStore } from './store/store.ts';

/** An invocation of a node command. */
export interface NodeInvoke {
  /** As the caller names the node: id, address, name, or the beginning of its id. */
  readonly node: string;
  readonly command: string;
  readonly params?: unknown;
  /** Absent: the usual timeout of the command. */
  readonly timeoutMs?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  /** A description of the requester: `operator`, `telegram 4711`. */
  readonly requester: string;
  readonly signal?: AbortSignal | undefined;
}

/** The nodes, as used by methods, tools and events. */
export interface NodeService {
  readonly store: NodeStore;
  readonly connected: ConnectedNodes;
  readonly invoker: Invoker;
  readonly runs: ExecRuns;
  readonly watch: ClientWatch;
  /** Connected ones first, then by name. */
  list(): readonly NodeView[];
  /** By id, address, name or the beginning of an id. Throws `not_found` or `invalid`. */
  find(query: string): NodeView;
  /** Throws `AppError` if the command may not be invoked, or ends without a result. */
  invoke(invoke: NodeInvoke): Promise<InvokeAnswer>;
  /** A request as clients see it. */
  shownRequest(request: NodeRequest): WireNodeRequest;
  /** Creates a request for every connected node without approved commands, unless one is already pending. */
  requestConnected(): Promise<void>;
  /** Notifies clients and the node of the decision. */
  resolved(news: { readonly requestId: string; readonly nodeId: string }, decision: Decision): void;
  changed(nodeId: string): void;
  /** It told its load anew. */
  loadChanged(nodeId: string): void;
}

export type Decision = 'approved' | 'rejected' | 'removed';

export interface NodesDeps {
  readonly store: NodeStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly publish: HostGateway['publish'];
  config(): NodesConfig;
}

export function createNodes(deps: NodesDeps): NodeService {
  const { store, clock, publish } = deps;
  const connected = createConnectedNodes();
  const changed = coalesceChanges(clock, (nodeId) => publish('node.changed', { nodeId }));
  const loadChanged = coalesceChanges(clock, (nodeId) => {
    const { hostStats } = connected.get(nodeId) ?? {};
    if (hostStats) publish('node.hostStats', { nodeId, hostStats });
  });
  const invoker = createInvoker({ clock, changed });
  const known = (nodeId: string): KnownNode => ({
    paired: store.find(nodeId),
    connected: connected.get(nodeId),
    pending: store.pending().find((one) => one.nodeId === nodeId),
    active: invoker.active().filter((one) => one.nodeId === nodeId),
  });
  const list = (): readonly NodeView[] => {
    const ids = new Set([...store.paired(), ...connected.all()].map(({ nodeId }) => nodeId));
    return inOrder([...ids].map((nodeId) => viewOf(known(nodeId), deps.config())));
  };
  const requestPairing = createAsking(deps);
  const find = (query: string): NodeView => findNode(list(), query);
  return {
    store,
    connected,
    invoker,
    runs: createExecRuns(),
    list,
    find,
    changed,
    loadChanged,
    shownRequest,
    requestConnected: async () => void (await Promise.all(connected.all().map(requestPairing))),
    invoke: (invoke) => invokeOn(find(invoke.node), invoke, { ...deps, connected, invoker }),
    resolved(news, decision) {
      const { requestId, nodeId } = news;
      const payload = { requestId, nodeId, decision, ts: clock.now() };
      publish('node.pair.resolved', payload);
      connected.get(nodeId)?.link.send('node.pair.resolved', payload);
      changed(nodeId);
    },
    watch: watchOf(deps, { connected, invoker, changed, requestPairing }),
  };
}

interface Watching {
  readonly connected: ConnectedNodes;
  readonly invoker: Invoker;
  changed(nodeId: string): void;
  requestPairing(node: ConnectedNode): Promise<void>;
}

/** Handles connects and disconnects of clients with the node role. */
function watchOf(
  { store, clock, log }: NodesDeps,
  { connected, invoker, changed, requestPairing }: Watching,
): ClientWatch {
  const note = (nodeId: string, patch: Parameters<NodeStore['seen']>[1]): void =>
    void store.seen(nodeId, patch).catch((error: unknown) => log.error('nodes.store', { nodeId, error }));
  return {
    admitted(link) {
      if (link.role !== 'node') return;
      const node = connected.joined(link);
      const at = clock.now();
      note(node.nodeId, { lastConnectedAtMs: at, lastSeenAtMs: at, lastSeenReason: 'connect' });
      requestPairing(node).catch((error: unknown) => log.error('nodes.pair', { nodeId: node.nodeId, error }));
      log.info('nodes.connected', { nodeId: node.nodeId, commands: node.facts.commands.length });
      changed(node.nodeId);
    },
    left(link: ClientLink) {
      if (link.role !== 'node') return;
      invoker.left(link);
      const node = connected.left(link);
      if (!node) return;
      note(node.nodeId, { lastSeenAtMs: clock.now(), lastSeenReason: 'disconnect' });
      log.info('nodes.disconnected', { nodeId: node.nodeId });
      changed(node.nodeId);
    },
  };
}

/** Creates an approval request for the commands of a connected node, if nobody approved them yet. */
const createAsking =
  ({ store, publish, config }: NodesDeps) =>
  async (node: ConnectedNode): Promise<void> => {
    const facts = surfaceOf(node.facts, config());
    const paired = store.find(node.nodeId);
    if (paired && coversSurface(paired, facts)) return;
    const { request, created } = await store.request(facts);
    if (created) publish('node.pair.requested', shownRequest(request));
  };

interface Invoking extends NodesDeps {
  readonly connected: ConnectedNodes;
  readonly invoker: Invoker;
}

function invokeOn(
  node: NodeView,
  { command, params, timeoutMs, idempotencyKey, requester, signal }: NodeInvoke,
  { connected, invoker, config, log }: Invoking,
): Promise<InvokeAnswer> {
  const name = node.displayName ?? node.nodeId;
  const live = connected.get(node.nodeId);
  if (!live)
    throw new AppError(
      'unavailable',
      `node not connected: ${name}. Start it, or look at \`${PUBLIC_COMMAND} nodes\`.`,
      {
        details: { code: 'NOT_CONNECTED', nodeId: node.nodeId },
      },
    );
  const { platform, commands } = live.facts;
  const refused = refusedCommand(command, { name, platform, commands }, config());
  if (refused) throw notAllowed(command, node, refused);
  const off = switchedOff(command, live);
  if (off !== undefined) throw notNow(command, node.nodeId, { name, why: off });
  if (!node.commands.includes(command)) throw notApproved(command, node, name);
  log.info('nodes.invoke', { nodeId: node.nodeId, command, requester });
  return invoker.invoke(
    present({
      nodeId: node.nodeId,
      link: live.link,
      command,
      params,
      timeoutMs: timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : usualTimeout(command, params),
      idempotencyKey: idempotencyKey ?? uuid(),
      requester,
      signal,
    }),
  );
}

/** Why a node does not run a command it has, e.g. because its person switched it off. Begins with the code. */
function switchedOff(command: string, { unavailable = {}, background }: ConnectedNode): string | undefined {
  if (Object.hasOwn(unavailable, command)) return unavailable[command];
  const sensor = SENSOR_OF[command];
  if (!background || sensor === undefined || sensor === 'screen') return undefined;
  const code = sensor === 'location' ? 'LOCATION_BACKGROUND_UNAVAILABLE' : 'NODE_BACKGROUND_UNAVAILABLE';
  return `${code}: the page or app of the node is in the background`;
}

function notNow(
  command: string,
  nodeId: string,
  { name, why }: { readonly name: string; readonly why: string },
): AppError {
  const code = /^[A-Z][A-Z_]{2,63}(?=:)/.exec(why)?.[0] ?? 'COMMAND_UNAVAILABLE';
  return new AppError('unavailable', `${name} does not carry out "${command}" now: ${why}`, {
    details: { code, command, nodeId },
  });
}

/** Includes the node's own reason, if there is one. */
function notAllowed(
  command: string,
  { unavailable = {}, nodeId }: NodeView,
  { reason, message }: { readonly reason: string; readonly message: string },
): AppError {
  const why = reason === 'command not declared by node' ? unavailable[command] : undefined;
  return new AppError('invalid', why === undefined ? message : `${message}: ${why}`, {
    details: present({ reason, command, nodeId, why }),
  });
}

const notApproved = (command: string, { requestId, nodeId }: NodeView, name: string): AppError =>
  new AppError(
    'unavailable',
    `"${command}" of ${name} waits for approval: run \`${PUBLIC_COMMAND} nodes approve ${requestId ?? '<request>'}\`` +
      `, or approve it on the Nodes page`,
    { details: present({ code: 'APPROVAL_REQUIRED', command, nodeId, requestId }) },
  );

function shownRequest({ byToken: _how, ...request }: NodeRequest): WireNodeRequest {
  return { ...request, requiredApproveScopes: approveScopes(request.commands) };
}

/** Pending requests expire after this many minutes. */
export const REQUEST_MINUTES = REQUEST_TTL_MS / 60_000;
