/** The schema of the configuration with what every feature adds, as a gateway reads it. */
import { findFeatures } from '../plugins/find-features.ts';
import { withFeatures } from '../schema.ts';

export const configSchema = withFeatures(await findFeatures());
