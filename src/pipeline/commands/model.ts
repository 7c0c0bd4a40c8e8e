/** `/model` and `/models`: shows and sets the conversation's model. */
import type { CommandCall } from './command-call.ts';
import type { Command, InlineRequestReader } from './command.ts';
import type { CommandHost, NamedModel } from './command-host.ts';
import { pickModel, refOf } from './pick-model.ts';

const PER_PAGE = 15;

/** `provider/model` or an alias: other words behind `/model` are a sentence. */
const request: InlineRequestReader = (words, { modelNames }) => {
  const word = /^\S+?(?=[.,!?]?(?:\s|$))/.exec(words)?.[0];
  if (word === undefined || !(/^[\w.-]+\/[\w.:/@-]+$/.test(word) || modelNames.includes(word.toLowerCase())))
    return undefined;
  return { length: word.length, request: { options: { model: word } } };
};

export const modelCommand: Command = {
  name: 'model',
  does: ['change', 'session'],
  usage: '/model [number|name|list|status|default]',
  summary: 'Show or choose the model of this conversation.',
  group: 'Model',
  takesText: false,
  takes: /^\S+(?:\s+\d+)?$/,
  request,
  native: { args: [{ name: 'model', description: 'A number from the list, a name, or default' }] },
  async run(call, host) {
    const [word = '', page] = call.args.split(/\s+/);
    switch (word.toLowerCase()) {
      case '':
      case 'list':
        return { reply: await listing(call, host, Number(page) || 1) };
      case 'status':
        return { reply: await status(call, host) };
      case 'default':
      case 'reset':
      case 'clear': {
        await host.patch(call.sessionKey, { providerOverride: null, modelOverride: null });
        return { reply: `⚙️ Model: back to ${(await host.models.current(call.sessionKey)).model}.` };
      }
      default:
        return { reply: await choose(word, call, host) };
    }
  },
};

export const modelsCommand: Command = {
  name: 'models',
  does: ['read', 'session'],
  usage: '/models [page]',
  summary: 'List the available models.',
  group: 'Model',
  takesText: false,
  takes: /^\d+$/,
  native: { args: [{ name: 'page', description: 'Which page' }] },
  run: async (call, host) => ({ reply: await listing(call, host, Number(call.args) || 1) }),
};

async function listing({ sessionKey }: CommandCall, { models }: CommandHost, wanted: number): Promise<string> {
  const [all, now] = [await models.list(), await models.current(sessionKey)];
  const pages = Math.max(1, Math.ceil(all.length / PER_PAGE));
  const page = Math.min(pages, Math.max(1, wanted));
  const line = (one: NamedModel, index: number): string =>
    `${(page - 1) * PER_PAGE + index + 1}. ` +
    `${refOf(one)}${one.alias ? ` (${one.alias})` : ''}${refOf(one) === now.model ? ' ←' : ''}`;
  return [
    `⚙️ Model: ${now.model}`,
    ...all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(line),
    ...(page < pages ? [`More: /models ${page + 1}`] : []),
    '',
    'Choose one with /model <number or name>; /model default restores the default.',
  ].join('\n');
}

async function status({ sessionKey }: CommandCall, { models }: CommandHost): Promise<string> {
  const { model, source, chosen, fallbacks } = await models.current(sessionKey);
  return [
    `⚙️ Model: ${model} (${chosen ? 'chosen for this conversation' : source})`,
    ...(fallbacks.length > 0 ? [`Then: ${fallbacks.join(', ')}`] : []),
  ].join('\n');
}

async function choose(word: string, { sessionKey }: CommandCall, { models }: CommandHost): Promise<string> {
  const picked = pickModel(word, await models.list());
  const chosen = await models.choose(sessionKey, picked ? refOf(picked.model) : word);
  if (!chosen) return `⚠️ No model is called "${word}". /models lists them.`;
  const others = picked?.others.slice(0, 3).map(refOf) ?? [];
  return `⚙️ Model: ${chosen} for this conversation.${others.length > 0 ? ` Also matches: ${others.join(', ')}.` : ''}`;
}
