/**
 * What stands under `tools` and is allowed, but surely not meant: commands never told what to look at, slips of the
 * pen.
 */
import type { Issue } from './store.ts';
import { nearest } from './suggest.ts';
import { variablesIn } from './template-variables.ts';
import { MEDIA_CAPABILITIES } from '../core/understanding.ts';
import type { LinksConfig, MediaConfig, MediaEntry } from './understanding-config.ts';

interface Tools {
  readonly links?: LinksConfig | undefined;
  readonly media: MediaConfig;
}

export interface Understood {
  readonly tools: Tools;
  readonly agents: {
    readonly list: readonly { readonly tools?: { readonly links?: LinksConfig | undefined } | undefined }[];
  };
}

export function lintUnderstanding({ tools, agents }: Understood): readonly Issue[] {
  return [
    ...misspelt(tools, 'tools'),
    ...agents.list.flatMap((agent, index) => agentIssues(agent.tools ?? {}, `agents.list[${index}].tools`)),
    ...linkIssues(tools.links, 'tools.links'),
    ...agents.list.flatMap((agent, index) => linkIssues(agent.tools?.links, `agents.list[${index}].tools.links`)),
    ...mediaIssues(tools.media.models, 'tools.media'),
    ...MEDIA_CAPABILITIES.flatMap((kind) => mediaIssues(tools.media[kind].models, `tools.media.${kind}`)),
  ];
}

const PARTS = [
  'links',
  'media',
  'profile',
  'allow',
  'alsoAllow',
  'deny',
  'byProvider',
  'exec',
  'elevated',
  'fs',
  'sandbox',
  'subagents',
];

/** Other releases keep more under `tools`; what is nearly one of ours is ours. */
function misspelt(tools: object, at: string): Issue[] {
  return Object.keys(tools)
    .filter((key) => !PARTS.includes(key))
    .flatMap((key) => {
      const near = nearest(key, PARTS);
      return near ? [{ path: `${at}.${key}`, problem: 'is not a setting', fix: `Did you mean "${near}"?` }] : [];
    });
}

function agentIssues(tools: object, at: string): Issue[] {
  const media =
    'media' in tools
      ? [
          {
            path: `${at}.media`,
            problem: 'is the same for all agents, so nothing reads it here',
            fix: 'Set `tools.media`; its `scope` can go by session key.',
          },
        ]
      : [];
  return [...misspelt(tools, at), ...media];
}

function linkIssues(links: LinksConfig | undefined, at: string): Issue[] {
  return (links?.models ?? []).flatMap(({ command, args }, index) =>
    args.some(mentions(LINK))
      ? []
      : [
          {
            path: `${at}.models[${index}].args`,
            problem: `"${command}" is never told the link`,
            fix: 'Add `{{LinkUrl}}` to its arguments.',
          },
        ],
  );
}

/** An entry without any argument is an error of its own. */
function mediaIssues(models: readonly MediaEntry[], at: string): Issue[] {
  return models.flatMap(({ command, args }, index) =>
    command === undefined || args.length === 0 || args.some(mentions(FILE))
      ? []
      : [
          {
            path: `${at}.models[${index}].args`,
            problem: `"${command}" is never told the file`,
            fix: 'Add `{{MediaPath}}` to its arguments.',
          },
        ],
  );
}

/** The words a link stands in lead to it as well. */
const LINK = /^(?:LinkUrl|Body|RawBody|CommandBody|BodyFor\w+|BodyStripped)$/;
const FILE = /^(?:Media(?:Path|Url|Dir)s?|Attachment(?:Path|Url|Dir))$/;

const mentions =
  (subject: RegExp) =>
  (arg: string): boolean =>
    variablesIn(arg).some((name) => subject.test(name));
