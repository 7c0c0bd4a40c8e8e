/** `onboard`: asks a new user for the basic settings and shows what exists; changes nothing without a yes. */
import { createInterface } from 'node:readline/promises';
import { getAt, parsePath } from '../../config/paths.ts';
import type { ConfigStore } from '../../config/store.ts';
import { AppError } from '../../core/errors.ts';
import type { Env } from '../../platform/env.ts';
import type { Call } from '../command.ts';
import { openConfig } from '../config-file.ts';
import { findLocalPrograms } from '../local-programs.ts';
import { offerChannels } from '../onboard-channels.ts';
import { waitForReload } from '../wait-for-reload.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** The bundled entry, as documented. */
const OWN_ENTRY = { command: 'link-understand', args: ['--url', '{{LinkUrl}}', '--format', 'markdown'] };

export async function onboard(call: Call): Promise<void> {
  const links = answerFor(call.flags.text('links'));
  await using store = await openConfig(call.io.env());
  await offerLinks(call, store, links);
  await offerChannels(call);
  call.io.out(await mediaReport(call.io.env()));
  call.io.out(
    `To see the model in use, run \`${OWN_COMMAND} models status\`. To change it, set a key in the ` +
      'environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …).',
  );
}

/** Undefined: the person is asked. */
function answerFor(written: string | undefined): boolean | undefined {
  if (written === undefined) return undefined;
  if (written === 'on' || written === 'off') return written === 'on';
  throw new AppError('invalid', `--links is "${written}"; use on or off.`);
}

async function offerLinks(call: Call, store: ConfigStore<unknown>, request: boolean | undefined): Promise<void> {
  const configured = getAt(store.current(), parsePath('tools.links.models'));
  if (request === undefined && Array.isArray(configured) && configured.length > 0)
    return call.io.out('Link reading is already on (tools.links.models).');
  const wanted =
    request ??
    (await confirm(
      call,
      'Read links in messages before the agent sees them? The separate command link-understand fetches them ' +
        'through a guard. [Y/n] ',
    ));
  if (wanted === undefined) return call.io.out(`Link reading is off. To turn it on: ${OWN_COMMAND} onboard --links on`);
  if (!wanted && !configured) return call.io.out('Link reading stays off.');
  const base = store.snapshot().hash || undefined;
  const { hash } = await store.edit(
    [
      { path: 'tools.links.enabled', value: wanted },
      ...(wanted && !configured ? [{ path: 'tools.links.models', value: [OWN_ENTRY] }] : []),
    ],
    base,
  );
  await waitForReload(call, hash);
  call.io.out(wanted ? 'Link reading is on, with link-understand (tools.links).' : 'Link reading is off.');
}

/** Undefined when nobody sits at the terminal. */
async function confirm({ io }: Call, question: string): Promise<boolean | undefined> {
  if ((io.stdin as { isTTY?: boolean }).isTTY !== true) return undefined;
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  const answer = (await lines.question(question)).trim().toLowerCase();
  lines.close();
  return answer === '' || answer.startsWith('y');
}

async function mediaReport(env: Env): Promise<string> {
  const { there, missing } = await findLocalPrograms(env);
  return [
    `Media tools found: ${there || 'none'}.`,
    ...(missing ? [`Optional tools not installed: ${missing}.`] : []),
  ].join('\n');
}
