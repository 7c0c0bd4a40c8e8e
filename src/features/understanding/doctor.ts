/** What the doctor looks at for understanding: whether the commands that read links and media are there. */
import { MEDIA_CAPABILITIES } from '../../core/understanding.ts';
import type { LinksConfig, MediaConfig } from '../../config/understanding-config.ts';
import { findProgram } from '../../platform/find-program.ts';
import { findLocalPrograms } from '../../cli/local-programs.ts';
import { type Check, ok, type Patient, warn } from '../../cli/doctor/check.ts';

/** As much of the configuration as is looked at. */
interface Config {
  readonly agents: { readonly list: readonly { readonly tools?: { readonly links?: LinksConfig } }[] };
  readonly tools: { readonly links?: LinksConfig; readonly media: MediaConfig };
}

/** It comes along and is found without PATH. */
const COMES_ALONG = 'link-understand';

export const checks: readonly Check[] = [
  {
    name: 'understanding commands',
    run: async ({ config, env }) => {
      const named = commandsOf(config);
      const missing = await absent(named, env.get('PATH'));
      const [first] = missing;
      if (named.length === 0)
        return ok('no commands configured; images, audio and video use the tools found, link reading is off');
      if (first === undefined)
        return ok(`${named.length} configured ${named.length === 1 ? 'command' : 'commands'}, all found`);
      const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : '';
      return warn(
        `${first.at}: "${first.command}" was not found${more}`,
        'Install it, or set its full path. The PATH of the gateway may differ from the PATH of this terminal.',
      );
    },
  },
  {
    name: 'media programs',
    run: async ({ env }) => {
      const { there, missing } = await findLocalPrograms(env);
      return ok(
        `${there || 'none; media need a provider with a key'}${missing ? `; could be installed: ${missing}` : ''}`,
      );
    },
  },
];

interface Named {
  readonly command: string;
  readonly at: string;
}

function commandsOf({ config }: Patient['config']): readonly Named[] {
  const { agents, tools } = config as Config;
  const links = [
    { at: 'tools.links', block: tools.links },
    ...agents.list.map((agent, index) => ({ at: `agents.list[${index}].tools.links`, block: agent.tools?.links })),
  ];
  const media = [
    { at: 'tools.media', block: { enabled: true, models: tools.media.models } },
    ...MEDIA_CAPABILITIES.map((kind) => ({ at: `tools.media.${kind}`, block: tools.media[kind] })),
  ];
  return [...links, ...media]
    .filter(({ block }) => block?.enabled !== false)
    .flatMap(({ at, block }) =>
      (block?.models ?? []).flatMap(({ command }, index) =>
        command === undefined ? [] : [{ command, at: `${at}.models[${index}]` }],
      ),
    );
}

async function absent(named: readonly Named[], path: string | undefined): Promise<readonly Named[]> {
  const there = await Promise.all(
    named.map(async ({ command }) => command === COMES_ALONG || (await findProgram(command, path)) !== undefined),
  );
  return named.filter((_one, index) => !there[index]);
}
