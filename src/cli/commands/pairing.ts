/** `pairing list|approve|reject|revoke`: manages pairing approvals; without a gateway, in the files. */
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { PAIRING_TTL_MS, type ChannelRequest, type PairingStore } from '../../pipeline/access/pairing-store.ts';
import type { WirePairing } from '../../protocol/answers/access.ts';
import { columns, listing } from '../columns.ts';
import type { Call } from '../command.ts';
import type { GatewayLink } from '../gateway-link.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

interface Listed {
  readonly pending: readonly WirePairing[];
  readonly approved?: readonly {
    readonly id: string;
    readonly name?: string | undefined;
    readonly at?: number | undefined;
  }[];
}

/** `told`: the person was notified of the decision. */
interface Decided {
  readonly request: WirePairing;
  readonly told: boolean;
}

export async function pairingList(call: Call): Promise<void> {
  const channel = call.args[0];
  const { io, flags } = call;
  const listed = await throughGateway<Listed>(call, {
    through: (link) => link.request('channel.pairing.list', channel === undefined ? {} : { channel }),
    alone: async (store) =>
      present({
        pending: (await store.pending(channel)).map(wire),
        approved: channel !== undefined ? await store.allowed(channel) : undefined,
      }),
  });
  if (flags.has('json')) return io.out(JSON.stringify(listed, null, 2));
  io.out(listing(['channel', 'code', 'id', 'name', 'minutes left'], listed.pending.map(row), 'No pairing requests.'));
  if (listed.pending.length > 0)
    io.out(`\nTo approve a request, run \`${OWN_COMMAND} pairing approve <channel> <code>\`.`);
  if (listed.approved && listed.approved.length > 0)
    io.out(
      `\nApproved:\n${columns(listed.approved.map(({ id, name = '', at }) => [visibleLine(id), visibleLine(name), at === undefined ? '' : new Date(at).toISOString().slice(0, 10)]))}`,
    );
}

const row = ({ channel, code, id, name, handle, expiresAtMs }: WirePairing): readonly string[] => [
  channel,
  code,
  visibleLine(id),
  visibleLine([name, handle && `@${handle.replace(/^@/, '')}`].filter(Boolean).join(' ')),
  String(Math.max(0, Math.ceil((expiresAtMs - Date.now()) / 60_000))),
];

export const pairingApprove = (call: Call): Promise<void> => decide(call, 'approve');
export const pairingReject = (call: Call): Promise<void> => decide(call, 'reject');

async function decide(call: Call, decision: 'approve' | 'reject'): Promise<void> {
  const [channel = '', code = ''] = call.args;
  const { io, flags } = call;
  const owner = decision === 'approve' && flags.has('owner');
  const decided = await throughGateway<Decided>(call, {
    through: async (link) => ({
      ...(await link.request<{ request: WirePairing }>(
        `channel.pairing.${decision}`,
        present({ channel, code, owner: owner || undefined }),
      )),
      told: decision === 'approve',
    }),
    async alone(store) {
      const request =
        decision === 'approve' ? await store.approve(channel, code, { owner }) : await store.reject(channel, code);
      if (!request)
        throw new AppError(
          'not_found',
          `No pending request with that code on ${channel}. Run \`${OWN_COMMAND} pairing list\` to list them.`,
        );
      return { request: wire(request), told: false };
    },
  });
  if (flags.has('json')) return io.out(JSON.stringify(decided, null, 2));
  const who = visibleLine(`${decided.request.name ?? 'Sender'} (${decided.request.id})`);
  if (decision === 'reject') return io.out(`Rejected ${who}.`);
  io.out(
    `${who} may write to you on ${decided.request.channel} in direct ` +
      `chats${owner ? ' as the owner' : ''}${decided.told ? ', and was notified' : '; they were not notified, because no gateway is running'}. Groups are not affected.`,
  );
}

export async function pairingRevoke(call: Call): Promise<number> {
  const [channel = '', id = ''] = call.args;
  const { revoked } = await throughGateway<{ revoked: boolean }>(call, {
    through: (link) => link.request('channel.pairing.revoke', { channel, id }),
    alone: async (store) => ({ revoked: await store.revoke(channel, id) }),
  });
  if (call.flags.has('json')) call.io.out(JSON.stringify({ revoked }, null, 2));
  else
    call.io.out(
      revoked
        ? `Revoked the pairing of ${id}. Lists in the configuration are unchanged.`
        : `${id} has no pairing on ${channel}.`,
    );
  return revoked ? 0 : 1;
}

interface Fallbacks<T> {
  through(link: GatewayLink): Promise<T>;
  alone(store: PairingStore): Promise<T>;
}

/** The gateway is asked when there is one; the files are touched only when nobody else does. */
async function throughGateway<T>(call: Call, { through, alone }: Fallbacks<T>): Promise<T> {
  const link = await gatewayIfAny(call);
  if (link) return through(link);
  const { createPairingStore } = await import('../../pipeline/access/pairing-store.ts');
  call.io.err('No gateway is running; using the files directly.');
  return alone(
    createPairingStore({ dir: join(call.io.env().stateDir, 'credentials'), log: onScreen(call), now: Date.now }),
  );
}

async function gatewayIfAny(call: Call): Promise<GatewayLink | undefined> {
  try {
    return await call.gateway();
  } catch (error) {
    if (error instanceof AppError && ['network', 'unavailable'].includes(error.code) && !call.flags.has('url'))
      return undefined;
    throw error;
  }
}

function onScreen({ io }: Call): Log {
  const say = (event: string, fields?: Readonly<Record<string, unknown>>): void =>
    io.err(`${event}: ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: () => {}, info: () => {}, warn: say, error: say, child: () => log };
  return log;
}

const wire = ({
  channel,
  accountId = DEFAULT_ACCOUNT_ID,
  id,
  code,
  name,
  handle,
  createdAt,
  lastSeenAt,
}: ChannelRequest): WirePairing =>
  present({
    channel,
    accountId,
    id,
    code,
    createdAtMs: createdAt,
    lastSeenAtMs: lastSeenAt,
    expiresAtMs: createdAt + PAIRING_TTL_MS,
    name,
    handle,
  });
