/** Prepares third-party features: checks that their names are free, reads their settings, finds their page. */
import { join } from 'node:path';
import { z } from 'zod';
import { formatPath } from '../config/paths.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { brokenFields } from '../host/adopt-plugin.ts';
import type { FoundPluginFeature } from '../host/plugin-feature.ts';
import type { FeaturePage } from '../host/plugin-page.ts';
import { readTextIfExists } from '../platform/files.ts';
import type { PluginsConfig } from './config.ts';
import type { LoadedFeature } from './load.ts';

export interface ReadyDeps {
  readonly config: PluginsConfig;
  readonly log: Log;
  /** Names of gateway methods and events: a feature may not be called like the first word of one. */
  readonly taken: readonly string[];
  /** Pages the Control UI has of its own: a feature with a page is not called like one. */
  readonly pages: ReadonlySet<string>;
}

/** One that cannot be used is logged and left out. */
export async function readyFeatures(
  loaded: readonly LoadedFeature[],
  { config, log, taken, pages }: ReadyDeps,
): Promise<readonly FoundPluginFeature[]> {
  const words = new Set(taken.map((name) => name.split('.')[0]!));
  const ready = loaded.map(async ({ value, path, folder }): Promise<readonly FoundPluginFeature[]> => {
    try {
      if (words.has(value.id))
        throw new AppError(
          'conflict',
          `${path}: the gateway has methods or events that begin with "${value.id}", so no feature may use that id. ` +
            'Rename it.',
        );
      const [problem] = settingsProblems({ value }, config);
      if (problem) throw new AppError('invalid', `${problem.path} ${problem.problem}.`);
      const settings: unknown = value.settings?.parse(written(value.id, config));
      const page = folder === undefined ? undefined : await pageOf(value.id, folder);
      if (page && pages.has(value.id))
        throw new AppError(
          'conflict',
          `${path}: the Control UI already has a page "${value.id}", so a feature with a page may not ` +
            'use that id. Rename it.',
        );
      return [{ value, path, settings, ...present({ folder, page }) }];
    } catch (error) {
      log.error('plugin.broken', brokenFields(value.id, path, error));
      return [];
    }
  });
  return (await Promise.all(ready)).flat();
}

/** What is wrong with `plugins.entries.<id>.config`, by the feature's own schema. */
export function settingsProblems(
  { value: { id, settings } }: Pick<LoadedFeature, 'value'>,
  config: PluginsConfig,
): readonly { readonly path: string; readonly problem: string }[] {
  const result = settings?.safeParse(written(id, config));
  if (result === undefined || result.success) return [];
  return result.error.issues.map((issue) => ({
    path: formatPath(['plugins', 'entries', id, 'config', ...issue.path.map(String)]),
    problem: `is not valid for the plugin: ${issue.message}`,
  }));
}

const written = (id: string, { entries }: PluginsConfig): unknown =>
  (Object.hasOwn(entries, id) ? entries[id]?.config : undefined) ?? {};

const pageFacts = z.strictObject({
  title: z.string().min(1).max(40),
  icon: z
    .string()
    .regex(/^[MmLlHhVvCcSsQqTtAaZz0-9 ,.-]{1,400}$/, 'must be the d of an SVG path')
    .optional(),
});

/** `page/page.json` says that there is a page and what it is called. */
async function pageOf(id: string, folder: string): Promise<FeaturePage | undefined> {
  const place = join(folder, 'page');
  const text = await readTextIfExists(join(place, 'page.json'));
  if (text === undefined) return undefined;
  try {
    const { title, icon } = pageFacts.parse(JSON.parse(text));
    return present({ id, title, folder: place, icon });
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new AppError('invalid', `${join(place, 'page.json')} needs a "title" and may have an "icon": ${why}`, {
      cause,
    });
  }
}
