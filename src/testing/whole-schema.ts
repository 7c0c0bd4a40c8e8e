/** The schema of the configuration with what every feature adds, as a gateway reads it. */
import { findFeatures } from '../plugins/find-features.ts';
import { rulesOfFeatures, withFeatures } from '../schema.ts';

const features = await findFeatures();
export const configSchema = withFeatures(features);
export const settingRules = rulesOfFeatures(features);
