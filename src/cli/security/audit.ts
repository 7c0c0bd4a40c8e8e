/** Compares a configuration with the defaults of `docs/concepts/trust.md`, and lists everything that is open. */
import { isRefusal } from '../../config/secret-length.ts';
import type { ConfigSnapshot, Issue } from '../../config/store.ts';
import { accessRules } from './access-rules.ts';
import { featureFiles } from '../feature-files.ts';
import { LEVELS, type Audited, type AuditFinding, type Rule } from './finding.ts';
import { openedRules } from './opened-rules.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** The worst first. */
export async function audit(
  audited: Audited,
  { issues, warnings }: Pick<ConfigSnapshot<unknown>, 'issues' | 'warnings'>,
): Promise<readonly AuditFinding[]> {
  const refused = new Set(issues.filter(isRefusal));
  const written = [...issues, ...warnings].map(
    (one): AuditFinding => finding(one, refused.has(one) ? 'critical' : 'warn'),
  );
  const further = await featureFiles<{ readonly rules: readonly Rule[] }>('audit');
  const found = [...accessRules, ...openedRules, ...further.flatMap(({ module }) => module.rules)].flatMap((rule) =>
    rule(audited),
  );
  return [...written, ...found].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

const finding = ({ path, problem, fix }: Issue, level: AuditFinding['level']): AuditFinding => ({
  level,
  path: path || 'the file',
  problem: `${problem}.`,
  fix: fix ?? `See \`${OWN_COMMAND} config validate\`.`,
});
