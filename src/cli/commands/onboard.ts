/**
 * `onboard`: the few choices a new user is asked, each with what is there already; nothing is changed without a yes.
 */
import { createInterface } from 'node:readline/promises';
import { getAt, parsePath } from '../../config/paths.ts';
import type { ConfigStore } from '../../config/store.ts';
import { AppError } from '../../core/errors.ts';
import type { Env } from '../../platform/env.ts';
import type { Call } from '../command.ts';
import { openConfig } from '../config-file.ts';
import { findLocalPrograms } from '../local-programs.ts';
import { offerChannels } from '../onboard-channels.ts';
import { takenUp } from '../taken-up.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** The entry that comes along, as the documentation shows it. */
const OWN_ENTRY = { command: 'link-understand', args: ['--url', '{{LinkUrl}}', '--format', 'markdown'] };

export async function onboard(call: Call): Promise<void> {
  const links = answerFor(call.flags.text('links'));
  await using store = await openConfig(call.io.env());
  await offerLinks(call, store, links);
  await offerChannels(call);
  call.io.out(await mediaReport(call.io.env()));
  call.io.out(
    `Which model answers: \`${OWN_COMMAND} models status\`. A key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) is enough to change it.`,
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
    return call.io.out('Links in messages are read already (tools.links.models).');
  const wanted =
    request ??
    (await asked(
      call,
      'Read links in messages before the agent sees them? The gateway fetches nothing itself: the command link-understand does, through a guard. [Y/n] ',
    ));
  if (wanted === undefined)
    return call.io.out(`Links in messages are not read. To turn it on: ${OWN_COMMAND} onboard --links on`);
  if (!wanted && !configured) return call.io.out('Links in messages stay unread.');
  const base = store.snapshot().hash || undefined;
  const { hash } = await store.edit(
    [
      { path: 'tools.links.enabled', value: wanted },
      ...(wanted && !configured ? [{ path: 'tools.links.models', value: [OWN_ENTRY] }] : []),
    ],
    base,
  );
  await takenUp(call, hash);
  call.io.out(
    wanted
      ? 'Links in messages are read by link-understand from now on (tools.links).'
      : 'Links in messages are no longer read.',
  );
}

/** Undefined when nobody sits at the terminal. */
async function asked({ io }: Call, question: string): Promise<boolean | undefined> {
  if ((io.stdin as { isTTY?: boolean }).isTTY !== true) return undefined;
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  const answer = (await lines.question(question)).trim().toLowerCase();
  lines.close();
  return answer === '' || answer.startsWith('y');
}

async function mediaReport(env: Env): Promise<string> {
  const { there, missing } = await findLocalPrograms(env);
  return [
    `Media are understood on this machine with: ${there || 'nothing yet'}.`,
    ...(missing ? [`More can be installed: ${missing}.`] : []),
  ].join('\n');
}
