/** Saves single settings; the gateway validates them and keeps the rest of the file. */
import type { App } from '../app.ts';

/** `patch`: values that replace; null removes. Rejects when somebody else saved in between. */
export async function saveConfig({ request }: Pick<App, 'request'>, patch: object): Promise<void> {
  const { hash, exists } = await request('config.get');
  await request('config.patch', { raw: JSON.stringify(patch), ...(exists && hash ? { baseHash: hash } : {}) });
}
