/** Maps a path as a sandboxed conversation writes it to the file on this machine, and refuses what the sandbox does not show. */
import { basename, isAbsolute, join, posix } from 'node:path';
import { AppError, asAppError } from '../../core/errors.ts';
import { statIfExists } from '../../platform/files.ts';
import { resolveInside } from '../../platform/inside.ts';
import { INSIDE } from './backend.ts';
import type { SandboxSetting } from './sandbox-setting.ts';

export interface Reached {
  /** Absolute, every link followed: use this value, it is the one that was checked. */
  readonly path: string;
  /** What was written, when it lies outside and a received file of that name was meant. */
  readonly rewrittenFrom?: string;
}

export interface ReachRequest {
  readonly setting: SandboxSetting;
  readonly path: string;
  readonly stateDir: string;
  /** Received files may be meant too: a path outside whose name is that of one. */
  readonly media: boolean;
}

/** Rejects with `AppError`: `denied` outside, `invalid` for what is no path. */
export async function reach({ setting, path, stateDir, media }: ReachRequest): Promise<Reached> {
  try {
    const real = await realPathInside(setting, path);
    if (await hidden(real, setting, stateDir)) throw new AppError('denied', `${path} is not shown in the sandbox.`);
    return { path: real };
  } catch (error) {
    const received = media && asAppError(error).code === 'denied' ? await receivedFile(path, stateDir) : undefined;
    if (!received) throw error;
    return { path: received, rewrittenFrom: path };
  }
}

/** `/workspace/x`, `x` and the path on this machine mean the same file. */
export function realPathInside({ workspace }: Pick<SandboxSetting, 'workspace'>, path: string): Promise<string> {
  // Dots are resolved before the beginning is compared: `/workspace/../etc` is not in the workspace.
  const plain = isAbsolute(path) ? posix.normalize(path) : path;
  const inside = plain === INSIDE || plain.startsWith(`${INSIDE}/`);
  return resolveInside(inside ? `.${plain.slice(INSIDE.length)}` : path, [workspace]);
}

/** A workspace may hold the state directory; the sandbox does not show it. */
async function hidden(real: string, { workspace }: SandboxSetting, stateDir: string): Promise<boolean> {
  return (await isInside(stateDir, workspace)) && (await isInside(real, stateDir));
}

async function isInside(path: string, folder: string): Promise<boolean> {
  try {
    await resolveInside(path, [folder]);
    return true;
  } catch (error) {
    if (asAppError(error).code !== 'denied') throw error;
    return false;
  }
}

async function receivedFile(path: string, stateDir: string): Promise<string | undefined> {
  const folder = join(stateDir, 'media', 'inbound');
  const candidate = join(folder, basename(path));
  return (await statIfExists(candidate))?.kind === 'file' ? resolveInside(candidate, [folder]) : undefined;
}
