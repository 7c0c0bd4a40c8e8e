/** `security audit`: lists what the configuration exposes, and how to restrict it; without a gateway. */
import { accountsOf } from '../../plugins/channel-accounts.ts';
import { ownUser } from '../../platform/own-user.ts';
import { openRegistry } from '../channel-registry.ts';
import type { Call } from '../command.ts';
import { audit } from '../security/audit.ts';
import { LEVELS, type Level } from '../security/finding.ts';

const MARKS: Readonly<Record<Level, string>> = { critical: 'CRITICAL', warn: 'warn', info: 'info' };

/** 1 when something is critical: a script can rely on it. */
export async function securityAudit({ io, flags }: Call): Promise<number> {
  await using registry = await openRegistry(io.env());
  const { store, sources, channels } = registry;
  const { issues, warnings } = store.snapshot();
  const broken = registry.broken.map((problem) => ({
    path: 'plugins.load.paths',
    problem: problem.replace(/\.$/, ''),
    fix: 'Until this is fixed, the gateway ignores the file.',
  }));
  const findings = await audit(
    {
      config: store.current(),
      accounts: channels.flatMap((plugin) => accountsOf(plugin, sources)),
      asRoot: ownUser()?.uid === 0,
    },
    { issues, warnings: [...warnings, ...broken] },
  );
  if (flags.has('json')) io.out(JSON.stringify(findings, null, 2));
  else if (findings.length === 0) io.out('No findings. docs/concepts/trust.md describes the defaults.');
  else {
    for (const { level, path, problem, fix } of findings)
      io.out(`${MARKS[level]}  ${path}: ${problem}\n      → ${fix}`);
    io.out(
      `\n${LEVELS.map((level) => `${findings.filter((one) => one.level === level).length} ${MARKS[level].toLowerCase()}`).join(', ')}. See docs/concepts/trust.md.`,
    );
  }
  return findings.some(({ level }) => level === 'critical') ? 1 : 0;
}
