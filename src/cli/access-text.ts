/** Formats a requester and the access decisions about them for the terminal. */
import { visibleLine } from '../core/visible-text.ts';
import { columns, listing } from './columns.ts';

export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly setting?: string;
  readonly detail: string;
}
export interface Requester {
  readonly standing: string;
  readonly kind: string;
  readonly ids: readonly string[];
  readonly channel?: string;
  readonly accountId?: string;
  readonly scopes?: readonly string[];
  readonly commands?: boolean;
  readonly rights: readonly string[];
  readonly sessionKey: string;
  readonly hands: readonly string[];
}
export interface AccessExtent {
  readonly kind: string;
  readonly verb: string;
  readonly reach: 'everywhere' | 'own' | 'nowhere';
}
export interface Answer {
  readonly verb: string;
  readonly kind: string;
  readonly means: string;
  readonly thing: string;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  readonly changes: readonly string[];
}

export const stepLines = (steps: readonly Step[]): string =>
  columns(steps.map(({ step, ok, setting = '', detail }) => [ok ? '  ✓' : '  ✗', step, setting, visibleLine(detail)]));

export function requesterText({
  standing,
  kind,
  ids,
  channel,
  accountId,
  scopes,
  commands,
  rights,
  sessionKey,
  hands,
}: Requester): string {
  const who =
    kind === 'people'
      ? `${ids.join(', ') || 'a sender without an id'} on ${channel}, account ${accountId}`
      : kind === 'operator'
        ? `${ids.join(', ')} at the gateway itself`
        : kind === 'nobody'
          ? 'nobody'
          : kind;
  return columns(
    [
      ['asks', `${visibleLine(who)} (${standing})`],
      ['in', sessionKey],
      ['through', hands.length > 0 ? visibleLine(hands.join(', ')) : kind === 'nobody' ? '-' : 'in person'],
      ['rights', rights.join(', ') || 'none'],
      ...(commands === undefined ? [] : [['commands', commands ? 'yes' : 'no']]),
      ...(scopes ? [['scopes', scopes.join(', ') || 'none']] : []),
    ].map(([name, value]) => [`  ${name!}`, value!]),
  );
}

/** One line for each kind of thing. */
export function extentTable(extents: readonly AccessExtent[]): string {
  const kinds = [...new Set(extents.map(({ kind }) => kind))];
  const verbs = (kind: string, wanted: AccessExtent['reach']): string =>
    extents
      .filter((one) => one.kind === kind && one.reach === wanted)
      .map(({ verb }) => verb)
      .join(', ');
  return listing(
    ['thing', 'everywhere', 'of their own conversation', 'never'],
    kinds.map((kind) => [kind, verbs(kind, 'everywhere'), verbs(kind, 'own'), verbs(kind, 'nowhere')]),
    '',
  );
}

export const answersText = (answers: readonly Answer[]): string => answers.map(answerText).join('\n\n');

function answerText({ verb, kind, means, thing, ok, steps, changes }: Answer): string {
  const what = `${ok ? 'Yes' : 'No'}: ${verb} ${kind} – ${means} – ${visibleLine(thing)}`;
  return [
    what,
    stepLines(steps),
    ...(changes.length > 0 ? ['  To change this:', ...changes.map((change) => `    ${visibleLine(change)}`)] : []),
  ].join('\n');
}
