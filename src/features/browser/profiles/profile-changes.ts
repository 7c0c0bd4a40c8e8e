/** Creates and deletes profiles, in the configuration file and on disk. */
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { ensureDir, moveFile, statIfExists } from '../../../platform/files.ts';
import type { HostConfig } from '../../../host/host.ts';
import { endOwner, ownerOfPort } from '../chromium/owner-of-port.ts';
import { endOrphan, forget } from '../chromium/orphaned-browser.ts';
import { userDataOf } from '../chromium/user-data.ts';
import type { BrowserCore } from '../browser-core.ts';
import { freeColor, freePort, isProfileName } from './profile-ports.ts';
import type { Profile } from './resolve-profiles.ts';

export interface ChangeDeps {
  readonly core: BrowserCore;
  readonly store: Pick<HostConfig['store'], 'edit' | 'snapshot'>;
}

export interface NewProfile {
  readonly name: string | undefined;
  readonly color?: string | undefined;
  readonly cdpUrl?: string | undefined;
  readonly driver?: string | undefined;
}

export async function createProfile(
  { name: written, color, cdpUrl, driver }: NewProfile,
  { core, store }: ChangeDeps,
): Promise<Profile> {
  const name = written?.trim() ?? '';
  if (name === '') throw new AppError('invalid', 'name required: lower-case letters, digits and dashes, e.g. work.');
  if (!isProfileName(name))
    throw new AppError(
      'invalid',
      `"${name.slice(0, 80)}" is no name of a profile: use lower-case letters, digits and dashes, 64 at most, ` +
        `and begin with no dash.`,
    );
  const known = core.profiles();
  if (known.some((one) => one.name === name)) throw new AppError('conflict', `There is a profile "${name}" already.`);
  if (cdpUrl !== undefined && !/^(?:https?|wss?):$/.test(URL.parse(cdpUrl)?.protocol ?? ''))
    throw new AppError(
      'invalid',
      'cdpUrl must be an http:// or https:// address (or ws://, wss://) with a host and a port.',
    );
  // Includes profiles that the configuration does not list.
  const range = core.deps.range();
  const counted = cdpUrl === undefined && range !== 'system';
  const port = counted ? freePort(new Set(known.map((one) => one.cdpPort)), range) : undefined;
  if (counted && port === undefined)
    throw new AppError('storage', 'No available CDP ports in range: remove a profile first.');
  const chosen =
    color !== undefined && /^#[0-9a-f]{6}$/i.test(color) ? color : freeColor(known.map((one) => one.color));
  const value = present({ cdpPort: port, cdpUrl: cdpUrl?.replace(/\/$/, ''), color: chosen.toUpperCase(), driver });
  await store.edit([{ path: `browser.profiles.${name}`, value }], store.snapshot().hash);
  return core.profile(name);
}

export interface Removed {
  /** The user data that was moved; absent: there was none. */
  readonly deleted: boolean;
  readonly to?: string;
}

export async function deleteProfile(name: string, { core, store }: ChangeDeps): Promise<Removed> {
  if (!isProfileName(name)) throw new AppError('invalid', `"${name.slice(0, 80)}" is no name of a profile.`);
  const { defaultProfile, profiles } = core.deps.config();
  if (name === defaultProfile)
    throw new AppError('invalid', `"${name}" is the default profile. Set browser.defaultProfile to another one first.`);
  if (!Object.hasOwn(profiles, name))
    throw new AppError('not_found', `The configuration has no browser profile "${name}".`);
  const profile = core.profile(name);
  await core.browserOf(profile).stop();
  const moved = profile.attachOnly ? undefined : await toTrash(core.folderOf(profile), core);
  await store.edit([{ path: `browser.profiles.${name}`, value: undefined }], store.snapshot().hash);
  return present({ deleted: moved !== undefined, to: moved });
}

export interface Reset {
  /** The process that remained; it was verified to be a browser of this profile. */
  readonly ended?: number;
  readonly moved: boolean;
  readonly from?: string;
  readonly to?: string;
}

/** Ends only the remaining browser of the profile. `trash`: also moves its user data. */
export async function resetProfile(
  profile: Profile,
  core: BrowserCore,
  { trash }: { readonly trash: boolean },
): Promise<Reset> {
  if (profile.attachOnly)
    throw new AppError(
      'invalid',
      `reset-profile is only supported for local profiles; "${profile.name}" is attached to a browser that is ` +
        `not ours.`,
    );
  const folder = core.folderOf(profile);
  await core.browserOf(profile).stop();
  const onPort = profile.portBySystem ? undefined : await endOnPort(profile, folder);
  const left = await endOrphan(folder, core.deps.log);
  await forget(folder);
  const from = userDataOf(folder);
  const to = trash ? await toTrash(from, core) : undefined;
  return present({ ended: onPort ?? left.at(-1), moved: to !== undefined, from: to && from, to });
}

/** The id of the ended process on the port of the profile; undefined: there was none. */
async function endOnPort({ name, cdpPort: port }: Profile, folder: string): Promise<number | undefined> {
  const owner = await ownerOfPort({ port, userDataDir: userDataOf(folder) });
  if (owner.kind === 'nobody') return undefined;
  if (owner.kind === 'stranger')
    throw new AppError(
      'conflict',
      `Port ${port} is taken by another program (process ${owner.pid ?? 'of another user'}). ` +
        `It is no browser of this profile and is left alone. Stop it, or set browser.profiles.${name}.cdpPort.`,
    );
  if (await endOwner(owner)) return owner.pid;
  throw new AppError('unavailable', `The browser left on port ${port} (process ${owner.pid}) does not end.`);
}

/** The data is moved, not deleted, and can be restored manually. */
async function toTrash(path: string, core: BrowserCore): Promise<string | undefined> {
  if (!(await statIfExists(path))) return undefined;
  const trash = join(core.deps.folder, '.trash');
  await ensureDir(trash);
  const stamp = new Date(core.deps.clock.now()).toISOString().replace(/[:.]/g, '-');
  const name = path.slice(core.deps.folder.length + 1).replace(/[\\/]/g, '-');
  const to = join(trash, `${name}-${stamp}`);
  await moveFile(path, to);
  return to;
}
