/** Runs one command line and returns its exit code: 0 done, 1 failed, 2 not understood. */
import { present } from '../core/present.ts';
import type { Call, CliIo, Command, Flags } from './command.ts';
import { allCommands } from './all-commands.ts';
import type { GatewayLink } from './gateway-link.ts';
import { helpText } from './help.ts';
import { paintOf } from './paint.ts';
import { parseCommandLine } from './parse.ts';
import { programVersion } from './program-version.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

/** Milliseconds a client waits for the gateway to take the connection. */
const CONNECT_TIMEOUT = 10_000;

/** `argv` is what follows the program's name. Never throws. */
export async function runCli(argv: readonly string[], io: CliIo, loaded?: readonly Command[]): Promise<number> {
  const rows = loaded ?? (await allCommands(argv, io));
  const table = await completed(argv, io, rows);
  const parsed = parseCommandLine(argv, table);
  switch (parsed.kind) {
    case 'version':
      io.out(programVersion());
      return 0;
    case 'help':
      io.out(helpText(parsed.topic, table, paintOf(io, io.stdout)));
      return 0;
    case 'usage': {
      const { problem, hint, help } = parsed.error;
      io.err(
        [
          paintOf(io, io.stderr)('red', `${problem}.`),
          ...(hint ? [hint] : []),
          `Try: ${[OWN_COMMAND, help, '--help'].filter(Boolean).join(' ')}`,
        ].join('\n'),
      );
      return 2;
    }
    case 'run':
      return runCommand(parsed, io, rows);
  }
}

/** The table with the further options of the command that is asked for. */
async function completed(argv: readonly string[], io: CliIo, rows: readonly Command[]): Promise<readonly Command[]> {
  const typed = argv.filter((word) => word !== 'help').join(' ');
  const row = rows.find(
    ({ name, aliases = [], more }) =>
      more && [name, ...aliases].some((one) => typed === one || typed.startsWith(`${one} `)),
  );
  if (!row?.more) return rows;
  const options = { ...row.options, ...(await row.more(io.env())) };
  return rows.map((one) => (one === row ? { ...row, options } : one));
}

async function runCommand(
  { command, args, flags }: { command: Command; args: readonly string[]; flags: Flags },
  io: CliIo,
  table: readonly Command[],
): Promise<number> {
  const links: Promise<GatewayLink>[] = [];
  const call: Call = { args, flags, io, gateway: () => (links[0] ??= connect({ command, flags }, io)) };
  try {
    return (await (await command.load(table))(call)) ?? 0;
  } catch (error) {
    io.err(paintOf(io, io.stderr)('red', await explain(error)));
    return 1;
  } finally {
    for (const link of await Promise.allSettled(links)) if (link.status === 'fulfilled') await link.value.close();
  }
}

/**
 * A `--token` without a `--url` beside it in the table is no gateway's: `channels add` takes a platform's secret by
 * that name.
 */
async function connect(
  { command, flags }: { readonly command: Command; readonly flags: Flags },
  io: CliIo,
): Promise<GatewayLink> {
  const url = flags.text('url');
  const token = command.options?.['url'] ? flags.text('token') : undefined;
  return io.connect(present({ url, token, env: io.env(), timeoutMs: CONNECT_TIMEOUT, caps: command.caps }));
}

/** An expected error is one line; an internal error has its stack. Both may quote the input. */
async function explain(error: unknown): Promise<string> {
  const { asAppError } = await import('../core/errors.ts');
  const { redactText } = await import('../platform/redact.ts');
  const known = asAppError(error);
  return redactText(
    known.code === 'internal' && error instanceof Error
      ? `Internal error: ${error.stack ?? error.message}`
      : asTypedHere(known.message),
  );
}

/** A gateway names the command as it was started there. */
const asTypedHere = (text: string): string =>
  text.replaceAll(/`(?:clawdbot|node bin\/clawdbot\.mjs) (?=[a-z])/g, `\`${OWN_COMMAND} `);
