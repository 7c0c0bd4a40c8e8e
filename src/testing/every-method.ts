/** All gateway methods, including those of features, as data. */
import type { MethodTable } from '../gateway/methods/method.ts';
import { methodTable } from '../gateway/methods/table.ts';
import { refuse } from '../host/method.ts';
import { joinFeatures, type RunningFeature } from '../host/join-features.ts';
import { findFeatures } from '../plugins/find-features.ts';

/** Every feature with methods that refuse whatever their parameters let through. */
export const everyFeature = async (): Promise<readonly RunningFeature[]> =>
  (await findFeatures()).map((feature) => ({
    feature,
    parts: { methods: Object.fromEntries(Object.keys(feature.methods ?? {}).map((name) => [name, refused])) },
  }));

export const everyMethod = async (): Promise<MethodTable> => methodTable(joinFeatures(await everyFeature()));

function refused(): never {
  throw refuse('Nothing of this feature runs here.');
}
