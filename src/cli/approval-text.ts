/** Formats an approval request for the terminal: in full, with invisible characters escaped. Pure. */
import { visibleLine, visibleText } from '../core/visible-text.ts';
import type { WireApprovalStep } from '../protocol/answers/approvals.ts';
import type { ExecApprovalResolvedEvent, WireApproval } from '../protocol/answers/approvals.ts';
import { span } from './durations.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

const WHERE = {
  gateway: 'on this machine, outside any sandbox',
  sandbox: 'in the sandbox',
  node: 'on a node',
} as const;

/** Every line of outside text stands behind a bar, so that none can pass for a line of ours. */
export function approvalText({ slug, request, expiresAtMs }: WireApproval, now: number = Date.now()): string {
  const {
    command,
    cwd,
    env,
    host,
    agentId,
    sessionKey,
    steps,
    reasons,
    rememberable,
    remember = [],
    elevated,
  } = request;
  return [
    `Approval ${visibleLine(slug)}, expires in ${timeLeft(expiresAtMs - now)}`,
    `  ${WHERE[host]}${elevated ? ', elevated' : ''}; agent ${visibleLine(agentId)}, session ` +
      `${visibleLine(sessionKey)}`,
    '  command',
    barred(command),
    '  folder',
    barred(cwd),
    ...part(
      'variables',
      Object.entries(env).map(([name, value]) => `${visibleLine(name)}=${visibleLine(value)}`),
    ),
    ...part('starts', steps.flatMap(stepLines)),
    ...part('reason', reasons.map(visibleLine)),
    ...part('"always" also allows', rememberable ? [...new Set(remember)].map(visibleLine) : []),
  ].join('\n');
}

/** A wait is short enough to count its seconds. */
const timeLeft = (ms: number): string => (ms > 600_000 ? span(ms) : `${Math.max(0, Math.ceil(ms / 1000))} s`);

const part = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${title}`, ...lines.map(bar)];
const barred = (text: string): string => visibleText(text).split('\n').map(bar).join('\n');
const bar = (line: string): string => `    │ ${line}`;

const stepLines = ({ words, path, why }: WireApprovalStep): readonly string[] => [
  `${words.map(shownWord).join(' ')}${path === undefined ? '' : `  (${visibleLine(path)})`}`,
  ...(why === undefined ? [] : [`  ${visibleLine(why)}`]),
];

/** Quoted where the reader could not see where it ends. */
function shownWord(word: string | null): string {
  if (word === null) return '‹known only when it runs›';
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${visibleLine(word).replaceAll("'", `'\\''`)}'`;
}

/** For callers who cannot be asked here. */
export const elsewhereText = ({ slug }: WireApproval): string =>
  `Needs your approval: run \`${OWN_COMMAND} approvals approve ${visibleLine(slug)}\` or \`${OWN_COMMAND} ` +
  `approvals deny ${visibleLine(slug)}\` in another terminal, or use the Control UI.`;

const DONE: Readonly<Record<ExecApprovalResolvedEvent['decision'], string>> = {
  'allow-once': 'allowed once',
  'allow-always': 'allowed always',
  deny: 'denied',
  expired: 'expired',
  withdrawn: 'withdrawn',
};

export const resolvedText = ({ id, decision, resolvedBy }: ExecApprovalResolvedEvent): string =>
  `Approval ${visibleLine(id.slice(0, 8))}: ` +
  `${DONE[decision]}${resolvedBy === undefined ? '' : ` by ${visibleLine(resolvedBy)}`}.`;
