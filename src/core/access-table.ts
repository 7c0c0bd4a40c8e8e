/**
 * The access table: one row for each verb on each kind of resource, one column for each standing of the requester. An
 * action without a row is denied.
 */
import type { Standing } from './authority.ts';
import { present } from './present.ts';
import type { OperatorScope, Right } from './principal.ts';

/**
 * `own`: where it belongs to the conversation the requester speaks in. A scope: of the operator. A right: given by
 * configuration, and used in person.
 */
export type Cell = 'yes' | 'own' | 'no' | OperatorScope | `right:${Right}`;

/** What a setting lets people do beyond their own conversation; `access.open` lists them by these names. */
export const OPENINGS = [
  'conversations',
  'received-files',
  'sessions',
  'processes',
  'jobs',
  'prompt-files',
  'memory',
] as const;
/** One thing that `access.open` of the configuration may allow beyond the table. */
export type Opening = (typeof OPENINGS)[number];

/** One row of the table of rights: what a verb on a kind of thing needs of each standing. */
export interface AccessRow {
  readonly kind: string;
  readonly verb: string;
  /** Of an operator the first that holds counts. */
  readonly cells: Readonly<Record<Exclude<Standing, 'operator' | 'nobody'>, Cell>> & {
    readonly operator: readonly Cell[];
  };
  /** Listed in `access.open` it is `yes` for everybody who may write here. */
  readonly opening?: Opening;
  /** One line for the page on trust. */
  readonly means: string;
}

type Columns = readonly [owner: Cell, delegate: Cell, operator: string, member: Cell, visitor: Cell, program: Cell];

const row = (
  kind: string,
  verb: string,
  [owner, delegate, operator, member, visitor, program]: Columns,
  means: string,
  opening?: Opening,
) =>
  ({
    kind,
    verb,
    cells: { owner, delegate, operator: operator.split(' or ') as Cell[], member, visitor, program },
    means,
    ...present({ opening }),
  }) as const;

const rows = [
  //                               owner   delegate  operator                  member           visitor  program
  row(
    'conversation',
    'read',
    ['yes', 'yes', 'operator.read', 'own', 'own', 'own'],
    'read what is said in a chat',
    'conversations',
  ),
  row(
    'conversation',
    'send',
    ['yes', 'yes', 'operator.write', 'own', 'own', 'own'],
    'write in a chat',
    'conversations',
  ),
  row(
    'conversation',
    'act',
    ['yes', 'yes', 'operator.admin', 'own', 'own', 'own'],
    'react, edit, pin and post polls in a chat',
    'conversations',
  ),
  row(
    'conversation',
    'moderate',
    ['yes', 'no', 'operator.admin', 'own', 'no', 'no'],
    'moderate its members and change its settings; the platform must also allow the requester to do it',
  ),
  row(
    'session',
    'read',
    ['yes', 'yes', 'operator.read', 'own', 'own', 'own'],
    'list it and read its history',
    'sessions',
  ),
  row('session', 'send', ['yes', 'yes', 'operator.write', 'own', 'own', 'own'], 'write to another session', 'sessions'),
  row('session', 'start', ['yes', 'yes', 'operator.write', 'own', 'own', 'own'], 'start a sub-agent'),
  row('session', 'stop', ['yes', 'yes', 'operator.write', 'own', 'own', 'own'], 'stop its running turns'),
  row('session', 'reset', ['yes', 'no', 'operator.admin', 'own', 'own', 'no'], 'reset it'),
  row('session', 'change', ['yes', 'own', 'operator.admin', 'own', 'no', 'no'], 'change its model, levels and queue'),
  row(
    'received-file',
    'read',
    ['yes', 'yes', 'operator.read', 'own', 'own', 'own'],
    'open a file that somebody sent',
    'received-files',
  ),
  row(
    'process',
    'read',
    ['yes', 'yes', 'operator.read', 'own', 'own', 'own'],
    'list background commands and read their output',
    'processes',
  ),
  row(
    'process',
    'change',
    ['yes', 'own', 'operator.write', 'own', 'own', 'own'],
    'send it input, stop it',
    'processes',
  ),
  row('job', 'read', ['yes', 'own', 'operator.read', 'own', 'own', 'own'], 'list it and see its runs', 'jobs'),
  row(
    'job',
    'write',
    ['yes', 'own', 'operator.admin or own', 'own', 'own', 'no'],
    'add, change, run or remove it',
    'jobs',
  ),
  row(
    'job',
    'aim',
    ['yes', 'own', 'operator.admin or own', 'own', 'own', 'no'],
    'deliver its output to a conversation',
    'jobs',
  ),
  row(
    'prompt-file',
    'write',
    ['yes', 'no', 'operator.admin', 'no', 'no', 'no'],
    'AGENTS.md, SOUL.md, TOOLS.md, HEARTBEAT.md and skills, which are part of every prompt',
    'prompt-files',
  ),
  row('memory', 'write', ['yes', 'no', 'operator.admin', 'no', 'no', 'no'], 'change MEMORY.md and memory/', 'memory'),
  row('configuration', 'read', ['yes', 'no', 'operator.read', 'no', 'no', 'no'], 'read settings; secrets are masked'),
  row(
    'configuration',
    'change',
    ['yes', 'no', 'operator.admin', 'no', 'no', 'no'],
    'change settings, allowlists and chat policies',
  ),
  row('credential', 'read', ['no', 'no', 'no', 'no', 'no', 'no'], 'read a secret; no turn can'),
  row(
    'approval',
    'answer',
    ['right:approve', 'no', 'operator.approvals', 'right:approve', 'no', 'no'],
    'approve or deny a command',
  ),
  row(
    'elevation',
    'use',
    ['yes', 'no', 'operator.admin', 'right:elevate', 'no', 'no'],
    'leave the sandbox; the tools.elevated lists decide',
  ),
  row(
    'node',
    'use',
    ['yes', 'yes', 'operator.write', 'no', 'no', 'no'],
    'use the screen, camera and location of devices',
  ),
  row('gateway', 'read', ['yes', 'yes', 'operator.read', 'yes', 'yes', 'no'], 'use /help, /status and /whoami'),
  row('gateway', 'restart', ['yes', 'no', 'operator.admin', 'no', 'no', 'no'], 'restart or update it'),
  row('gateway', 'reach-others', ['yes', 'no', 'operator.admin', 'no', 'no', 'no'], 'call methods of another gateway'),
] as const satisfies readonly AccessRow[];

/** Who may do what; whatever no row allows is refused. `docs/reference/access.md` is printed from it. */
export const ACCESS_TABLE: readonly AccessRow[] = rows;

type Row = (typeof rows)[number];
/** What a verb acts on, as the rows of the table name it. */
export type ResourceKind = Row['kind'];
/** The allowed actions on a kind of resource, as rows of the table. */
export type Verb = Row['verb'];
/** One action on a kind of resource; a row of the table. */
export type Act = readonly [verb: Verb, kind: ResourceKind];
