/** The turn of a group, of the owner or of nobody, and the cron methods its tool reaches. */
import { createTurnMethods, type TurnMethod } from './turn-methods.ts';
import type { ContextLine } from './context.ts';
import { messageToolSchema } from '../../../config/message-tool-config.ts';
import type { CronJob } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import type { ChatAddress } from '../../../core/message.ts';
import { jobAuthority } from '../run/job-authority.ts';
import { canonicalSessionKey } from '../../../core/session-key.ts';
import type { Turn } from '../../../core/turn.ts';
import { createFakeCron } from '../fake.ts';
import type { Opening } from '../../../core/access-table.ts';
import { delegatedVia } from '../../../core/authority.ts';
import { present } from '../../../core/present.ts';
import { peopleAuthority, surfaceAuthority } from '../../../testing/sample-authority.ts';

export const GROUP: ChatAddress = {
  channel: 'alpha',
  accountId: 'default',
  chat: { kind: 'group', id: '42' },
  threadId: '7',
};
export const WEB: ChatAddress = { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } };
export const GROUP_KEY = 'agent:main:alpha:group:42';
export const HOURLY = { schedule: { kind: 'every', everyMs: 3_600_000 } };
export const turnJob = { ...HOURLY, payload: { kind: 'agentTurn', message: 'look' } };

/** Whose turn it is; absent: a person of a group who may not configure. */
export interface Who {
  readonly open?: readonly Opening[];
  readonly key?: string;
  readonly here?: ChatAddress;
  readonly configure?: boolean;
  readonly trigger?: Turn['trigger'];
  readonly agentId?: string;
  readonly config?: object;
  readonly lines?: readonly ContextLine[];
  readonly origins?: readonly string[];
  readonly senders?: readonly string[];
  readonly cron?: ReturnType<typeof createFakeCron>;
}

export const denied = { code: 'denied' } as const;

export const invalid = (message: RegExp) => ({ code: 'invalid', message }) as const;

export const OPEN: Who = { open: ['conversations'] };

/** The methods of one turn over a fake service. */
export function cronHarness({
  key = GROUP_KEY,
  here = GROUP,
  configure = false,
  trigger,
  agentId = 'main',
  config = {},
  lines = [],
  origins = [],
  senders = ['ana'],
  open = [],
  cron = createFakeCron(),
}: Who = {}) {
  const home = { agentId, sessionKey: key, address: here };
  const own = here.channel === WEB.channel;
  const inPerson = own
    ? surfaceAuthority({ home, ...present({ scopes: configure ? undefined : ['operator.write'] }) })
    : peopleAuthority({ home, ids: senders, rights: configure ? ['configure'] : [] });
  const job = trigger?.origin === 'cron' ? cron.jobs.get(trigger.jobId) : undefined;
  const authority =
    trigger === undefined ? inPerson : job ? jobAuthority(job, home) : delegatedVia(inPerson, trigger.origin);
  const turn = {
    id: 't1',
    route: { agentId, sessionKey: key, replyTo: here },
    authority,
    ...(trigger && { trigger, system: true }),
  } as unknown as Turn;
  const wakes: object[] = [];
  const asked: number[] = [];
  const methods = createTurnMethods({
    open: () => open,
    turn,
    cron,
    wake: async (request) => void wakes.push(request),
    isDeliverable: (channel) => ['alpha', 'beta'].includes(channel),
    config: () => messageToolSchema.parse(config),
    resolve,
    conversations: {
      mainKey: (id) => `agent:${id}:main`,
      origins: async () => origins,
      lines: async (_key, count) => {
        asked.push(count);
        return lines.slice(-count);
      },
    },
    canonicalKey: (raw) => canonicalSessionKey(raw),
    defaultAgentId: () => 'main',
    zone: () => 'Europe/Berlin',
  });
  const call = (method: TurnMethod, params: object = {}): Promise<any> => methods[method](params as never);
  return {
    cron,
    wakes,
    asked,
    call,
    add: (job: object, more: object = {}) => call('cron.add', { job, ...more }),
    only: (): CronJob => [...cron.jobs.values()][0]!,
  };
}

/** `alpha:user:1`, `user:1`, `42`: as channels read targets. */
function resolve({
  to,
  channel,
  accountId = 'default',
  threadId,
}: {
  to: string;
  channel?: string | undefined;
  accountId?: string | undefined;
  threadId?: string | undefined;
}): ChatAddress {
  const [, named, rest] = /^(alpha|beta):(.+)$/.exec(to.trim()) ?? [undefined, channel, to.trim()];
  if (named !== 'alpha' && named !== 'beta')
    throw new AppError('invalid', 'Choose a channel to send to. Channels: alpha, beta.');
  const user = /^user:(.+)$/.exec(rest!)?.[1];
  return {
    channel: named,
    accountId,
    chat: user ? { kind: 'direct', id: user } : { kind: 'group', id: rest! },
    ...present({ threadId }),
  };
}
