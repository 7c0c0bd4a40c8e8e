/** Which models are offered the tool, by `tools.exec.applyPatch` of the configuration. Pure. */
import { z } from 'zod';
import { fitsStars } from '../../sdk/star-pattern.ts';

const settings = z.object({
  exec: z
    .object({
      applyPatch: z
        .object({ enabled: z.boolean().default(true), allowModels: z.array(z.string()).optional() })
        .prefault({}),
    })
    .prefault({}),
});

/** `tools`: that slice. `model`: `provider/model`. A setting that cannot be read offers it to nobody. */
export function offeredTo(model: string, tools: Readonly<Record<string, unknown>>): boolean {
  const parsed = settings.safeParse(tools);
  if (!parsed.success) return false;
  const { enabled, allowModels } = parsed.data.exec.applyPatch;
  return enabled && (allowModels?.some((pattern) => matches(pattern, model)) ?? true);
}

function matches(pattern: string, model: string): boolean {
  const [wanted, name] = [pattern.trim().toLowerCase(), model.toLowerCase()];
  return fitsStars(wanted, name) || fitsStars(wanted, name.slice(name.indexOf('/') + 1));
}
