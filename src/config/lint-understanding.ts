/** Commands of `tools.links` and `tools.media` that are never told what to look at: allowed, surely not meant. */
import type { Issue } from './store.ts';
import { variablesIn } from './template-variables.ts';
import { MEDIA_CAPABILITIES } from '../core/understanding.ts';
import type { LinksConfig, MediaConfig, MediaEntry } from './understanding-config.ts';

interface Tools {
  readonly links?: LinksConfig | undefined;
  readonly media: MediaConfig;
}

export interface Understood {
  readonly tools: Tools;
  readonly agents: { readonly list: readonly { readonly tools?: { readonly links?: LinksConfig | undefined } | undefined }[] };
}

export function lintUnderstanding({ tools, agents }: Understood): readonly Issue[] {
  return [
    ...linkIssues(tools.links, 'tools.links'),
    ...agents.list.flatMap((agent, index) => linkIssues(agent.tools?.links, `agents.list[${index}].tools.links`)),
    ...mediaIssues(tools.media.models, 'tools.media'),
    ...MEDIA_CAPABILITIES.flatMap((kind) => mediaIssues(tools.media[kind].models, `tools.media.${kind}`)),
  ];
}

function linkIssues(links: LinksConfig | undefined, at: string): Issue[] {
  return (links?.models ?? []).flatMap(({ command, args }, index) => (args.some(tells(LINK))
    ? []
    : [{ path: `${at}.models[${index}].args`, problem: `"${command}" is never told the link`, fix: 'Add `{{LinkUrl}}` to its arguments.' }]));
}

/** An entry without any argument is an error of its own. */
function mediaIssues(models: readonly MediaEntry[], at: string): Issue[] {
  return models.flatMap(({ command, args }, index) => (command === undefined || args.length === 0 || args.some(tells(FILE))
    ? []
    : [{ path: `${at}.models[${index}].args`, problem: `"${command}" is never told the file`, fix: 'Add `{{MediaPath}}` to its arguments.' }]));
}

/** The words a link stands in lead to it as well. */
const LINK = /^(?:LinkUrl|Body|RawBody|CommandBody|BodyFor\w+|BodyStripped)$/;
const FILE = /^(?:Media(?:Path|Url|Dir)s?|Attachment(?:Path|Url|Dir))$/;

const tells = (subject: RegExp) => (arg: string): boolean => variablesIn(arg).some((name) => subject.test(name));
