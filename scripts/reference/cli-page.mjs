/** Generates docs/reference/cli.md from the command table. */
import { ownCommands } from '../../src/cli/all-commands.ts';
import { optionRows, usageLine } from '../../src/cli/help.ts';
import { code, page, table } from './markdown.mjs';

export async function cliPage() {
  const commands = await ownCommands();
  return page(
    {
      title: 'Command line',
      summary: 'Every command of clawdbot with its arguments and options',
      readWhen: ['you look for a command or an option', 'you script clawdbot and need its exit codes'],
      from: '`src/cli/command-table.ts`',
    },
    `Exit codes: 0 done, 1 failed (one line on standard error says why), 2 the command line was not understood.
Where an address and a token are needed, \`--url\` and \`--token\` win over the environment, and the environment over the configuration.

${commands.map(section).join('\n\n')}`,
  );
}

const section = (command) =>
  [
    `## ${command.name}`,
    command.summary,
    `\`\`\`sh\n${usageLine(command)}\n\`\`\``,
    ...(command.aliases ? [`Also: ${command.aliases.map((name) => code(`clawdbot ${name}`)).join(', ')}`] : []),
    ...(command.args?.length
      ? [
          table(
            ['argument', 'meaning'],
            command.args.map((arg) => [code(arg.name), `${arg.help ?? ''}${arg.optional ? ' Optional.' : ''}`.trim()]),
          ),
        ]
      : []),
    ...(Object.keys(command.options ?? {}).length > 0
      ? [
          table(
            ['option', 'meaning'],
            optionRows(command.options).map(([name, text]) => [code(name), text]),
          ),
        ]
      : []),
  ].join('\n\n');
