/** `config get|set|unset|validate|schema|explain|path`: works on the configuration file, without a gateway. */
import { AppError } from '../../core/errors.ts';
import type { ConfigExplanation, ConfigSnapshot, ConfigStore, Issue } from '../../config/store.ts';
import type { Env } from '../../platform/env.ts';
import type { Call } from '../command.ts';
import { columns } from '../columns.ts';
import { openConfig } from '../config-file.ts';
import { withForceHint } from '../force-hint.ts';
import { waitForReload } from '../wait-for-reload.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export async function configGet(call: Call): Promise<void> {
  await using store = await openConfig(call.io.env());
  const [path] = call.args;
  if (path === undefined) return call.io.out(JSON.stringify(store.redacted().config, null, 2));
  const { value } = store.explain(path);
  if (value === undefined)
    throw new AppError(
      'not_found',
      `${path} is not set. Run \`${OWN_COMMAND} config explain ${path}\` to see what it does.`,
    );
  call.io.out(typeof value === 'string' && !call.flags.has('json') ? value : JSON.stringify(value, null, 2));
}

export async function configSet(call: Call): Promise<void> {
  const [path, text] = call.args as [string, string];
  await edit(call, path, await parseValue(text));
  call.io.out(`${path} is set.`);
}

export async function configUnset(call: Call): Promise<void> {
  await edit(call, call.args[0]!, undefined);
  call.io.out(`${call.args[0]} is unset.`);
}

async function edit(call: Call, path: string, value: unknown): Promise<void> {
  await using store = await openConfig(call.io.env());
  const { hash: base } = store.snapshot();
  const force = call.flags.has('force');
  const { hash, warnings } = await withForceHint(() =>
    store.edit([{ path, value }], base || undefined, { knownOnly: value !== undefined && !force, unvetted: force }),
  );
  for (const warning of warnings) call.io.err(`warning: ${issueLine(warning)}`);
  await waitForReload(call, hash);
}

/** JSON5 where it is JSON5 (`true`, `42`, `{ a: 1 }`, `"text"`), else the text itself. */
async function parseValue(text: string): Promise<unknown> {
  const { default: JSON5 } = await import('json5');
  try {
    return JSON5.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

export async function configValidate(call: Call): Promise<number> {
  await using store = await openConfig(call.io.env());
  const { path, exists, issues, warnings } = store.snapshot();
  const valid = issues.length === 0;
  if (call.flags.has('json')) call.io.out(JSON.stringify({ path, exists, valid, issues, warnings }, null, 2));
  else
    call.io.out(
      [
        summaryOf(store.snapshot()),
        ...issues.map((issue) => `  error: ${issueLine(issue)}`),
        ...warnings.map((issue) => `  warning: ${issueLine(issue)}`),
      ].join('\n'),
    );
  return valid ? 0 : 1;
}

function summaryOf({ path, exists, issues }: ConfigSnapshot<unknown>): string {
  if (!exists) return `${path} does not exist; the defaults apply.`;
  return issues.length === 0
    ? `${path} is valid.`
    : `${path} has ${issues.length} ${issues.length === 1 ? 'error' : 'errors'}:`;
}

const issueLine = ({ path, problem, fix }: Issue): string =>
  `${path ? `${path}: ` : ''}${problem}${fix ? ` (${fix})` : ''}`;

export async function configSchema(call: Call): Promise<void> {
  await using store = await openConfig(call.io.env());
  call.io.out(JSON.stringify(store.schema().schema, null, 2));
}

export async function configExplain(call: Call): Promise<void> {
  await using store: ConfigStore<unknown> = await openConfig(call.io.env());
  const found = await withCredentials(store.explain(call.args[0]!), call.io.env());
  if (call.flags.has('json')) return call.io.out(JSON.stringify(found, null, 2));
  const { path, value, from, source, variables, default: fallback, description, problem } = found;
  const rows: (string | undefined)[][] = [
    ['setting', path],
    [
      'value',
      value === undefined ? (from === 'env' ? '(set; secrets are not shown)' : '(not set)') : JSON.stringify(value),
    ],
    [
      'from',
      source === undefined
        ? from
        : `${from} ` +
          `(${source}${variables && from === 'env' ? ', in this terminal; a gateway started elsewhere may have another value' : ''})`,
    ],
    ['default', fallback === undefined ? undefined : JSON.stringify(fallback)],
    [
      'variable',
      variables && from !== 'env'
        ? `${variables.join(', ')} in the environment of the gateway also sets it`
        : undefined,
    ],
    ['meaning', description],
    ['problem', problem && issueLine(problem)],
  ];
  call.io.out(columns(rows.filter((row): row is string[] => row[1] !== undefined)));
}

/** What only channels and providers know: which variable holds a secret of theirs where no file does. */
async function withCredentials(found: ConfigExplanation, env: Env): Promise<ConfigExplanation> {
  if (found.from !== 'unset') return found;
  const variables = await (await import('../credential-variables.ts')).credentialVariables(found.path, env);
  if (variables.length === 0) return found;
  const set = variables.find((name) => env.get(name)?.trim());
  return { ...found, variables, ...(set !== undefined && { from: 'env', source: set }) };
}

export async function configPath(call: Call): Promise<void> {
  const { configPath: find } = await import('../../config/config-path.ts');
  call.io.out(await find(call.io.env()));
}
