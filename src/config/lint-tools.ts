/** Tool lists that cannot mean what they say: names nobody has, senders that are no ids, lists that allow nothing. */
import { toolWords, unknownPatterns } from '../core/tool-pattern.ts';
import { formatPath, type Path } from './paths.ts';
import { isNoId, listedPlaces } from './place-tools.ts';
import type { Issue } from './store.ts';
import { nearest } from './suggest.ts';
import { OWN_COMMAND } from '../platform/own-command.ts';

interface Lists {
  readonly allow?: readonly string[] | undefined;
  readonly alsoAllow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}
interface Inner {
  readonly tools?: Lists | undefined;
}
interface Policy extends Lists {
  readonly byProvider?: Readonly<Record<string, Lists>> | undefined;
  readonly sandbox?: Inner | undefined;
  readonly subagents?: Inner | undefined;
}
interface Group {
  readonly tools?: Lists | undefined;
  readonly toolsBySender?: Readonly<Record<string, Lists>> | undefined;
}

/** The parts of a configuration in which tools are named. */
export interface NamesTools {
  readonly tools: Policy;
  readonly agents: { readonly list: readonly { readonly tools?: Policy | undefined }[] };
  readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly plugins: { readonly enabled: boolean; readonly load: { readonly paths: readonly string[] } };
}

/** An error keeps the file in force: what it is about is shut, not opened. */
export interface Findings {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

type Place = readonly [path: Path, lists: Lists | undefined];

/** With plugins configured nothing is an error here: only a running gateway knows their tools (`tools explain`). */
export function lintTools(config: NamesTools): Findings {
  const plugins = config.plugins.enabled && config.plugins.load.paths.length > 0;
  const strays = places(config).flatMap(([path, lists]) =>
    (['allow', 'alsoAllow', 'deny'] as const).flatMap((key) => straysIn([...path, key], lists?.[key])),
  );
  const errors = strays.filter(({ closes }) => closes && !plugins);
  const warnings = strays
    .filter(({ closes }) => !closes || plugins)
    .map(({ issue }) => (plugins ? { ...issue, problem: `${issue.problem}, unless a plugin adds it` } : issue));
  return {
    errors: errors.map(({ issue }) => issue),
    warnings: [...warnings, ...empty(config), ...namedSenders(config)],
  };
}

function places({ tools, agents, channels }: NamesTools): readonly Place[] {
  return [
    ...placesOf(tools, ['tools']),
    ...agents.list.flatMap((agent, index) => placesOf(agent.tools, ['agents', 'list', String(index), 'tools'])),
    ...groupsOf(channels).flatMap(([path, group]): Place[] => [
      [[...path, 'tools'], group.tools],
      ...Object.entries(group.toolsBySender ?? {}).map(
        ([sender, lists]): Place => [[...path, 'toolsBySender', sender], lists],
      ),
    ]),
  ];
}

function placesOf(policy: Policy | undefined, at: Path): readonly Place[] {
  return [
    [at, policy],
    ...Object.entries(policy?.byProvider ?? {}).map(([name, lists]): Place => [[...at, 'byProvider', name], lists]),
    [[...at, 'sandbox', 'tools'], policy?.sandbox?.tools],
    [[...at, 'subagents', 'tools'], policy?.subagents?.tools],
  ];
}

const groupsOf = (channels: NamesTools['channels']): readonly (readonly [Path, Group])[] =>
  Object.entries(channels).flatMap(([channel, settings]) =>
    listedPlaces(settings).map(({ path, limits }) => [['channels', channel, ...path], limits] as const),
  );

function straysIn(
  path: Path,
  patterns: readonly string[] = [],
): readonly { readonly issue: Issue; readonly closes: boolean }[] {
  const strays = unknownPatterns(patterns, []);
  const closes = path.at(-1) === 'allow' && strays.length === patterns.length;
  const only = closes ? '; the list names nothing else, so it allows no tool at all' : '';
  return strays.map((name) => {
    const near = nearest(name, toolWords([]));
    return {
      closes,
      issue: {
        path: formatPath([...path, String(patterns.indexOf(name))]),
        problem: `there is no tool "${name}"${only}`,
        fix: near ? `Did you mean "${near}"?` : `Remove it; \`${OWN_COMMAND} tools list\` names the tools.`,
      },
    };
  });
}

/** It reads as if nothing were allowed. */
const empty = (config: NamesTools): readonly Issue[] =>
  places(config)
    .filter(([, lists]) => lists?.allow?.length === 0)
    .map(([path]) => ({
      path: formatPath([...path, 'allow']),
      problem: 'is empty, which restricts nothing',
      fix: 'Remove it, or deny tools by name: deny: ["*"] leaves none.',
    }));

/** Names can be changed by the people who have them. */
const namedSenders = ({ channels }: NamesTools): readonly Issue[] =>
  groupsOf(channels).flatMap(([path, { toolsBySender = {} }]) =>
    Object.keys(toolsBySender)
      .filter((sender) => isNoId(sender))
      .map((sender) => ({
        path: formatPath([...path, 'toolsBySender', sender]),
        problem: 'is no sender id: whom it means is not known, so it limits everybody here',
        fix: 'Use the id the channel gives the sender.',
      })),
  );
