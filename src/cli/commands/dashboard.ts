/** `dashboard`: opens the Control UI, or prints its address. The token is after `#`, which browsers do not send. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asAppError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../platform/files.ts';
import { openPage } from '../../platform/open-page.ts';
import { showsSecrets } from '../secret-output.ts';
import type { Call } from '../command.ts';
import { findGateway } from '../connect.ts';

export async function dashboard(call: Call): Promise<number> {
  const { io, flags } = call;
  const { url: socket, token, address } = await findGateway({ env: io.env() });
  const page = new URL(address.basePath, socket.replace(/^ws/, 'http'));
  const secret = token === undefined ? '' : `#token=${encodeURIComponent(token)}`;
  const shown = showsSecrets(call);
  const url = `${page.href}${shown ? secret : ''}`;
  const problem = await whyNotThere(call);
  if (flags.has('json')) io.out(JSON.stringify({ url, running: problem === undefined }));
  else io.out(url);
  if (problem !== undefined) io.err(problem);
  else if (flags.has('json')) return 0;
  else if (await opened(call, `${page.href}${secret}`)) io.err('Opened in your browser.');
  else if (!shown && token !== undefined)
    io.err('The token is hidden because the output is not a terminal. Add --show-token to print it.');
  return problem === undefined ? 0 : 1;
}

/** A gateway that does not let the command line in is there all the same. */
async function whyNotThere(call: Call): Promise<string | undefined> {
  try {
    await call.gateway();
    return undefined;
  } catch (error) {
    const { code, message } = asAppError(error);
    return code === 'auth' || code === 'denied' ? undefined : message;
  }
}

/**
 * At a terminal only. Arguments of programs can be seen by everybody on the machine, so the browser is given a file of
 * ours that leads to the page.
 */
async function opened({ io, flags }: Call, url: string): Promise<boolean> {
  if (flags.has('no-open') || (io.stdout as { isTTY?: boolean }).isTTY !== true) return false;
  const env = io.env();
  return openPage(async () => {
    const file = join(env.stateDir, 'dashboard.html');
    await writeFileAtomic(
      file,
      '<!doctype html><meta charset="utf-8"><title>Clawdbot</title><meta http-equiv="refresh" ' +
        `content="0;url=${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">\n`,
    );
    return pathToFileURL(file).href;
  }, env);
}
