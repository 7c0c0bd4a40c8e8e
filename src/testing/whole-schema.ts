/** The configuration schema with the settings of all features. */
import { findFeatures } from '../plugins/find-features.ts';
import { rulesOfFeatures, withFeatures } from '../schema.ts';

const features = await findFeatures();
export const configSchema = withFeatures(features);
export const settingRules = rulesOfFeatures(features);
