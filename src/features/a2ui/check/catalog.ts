/** A catalog of components: their names and the properties of each. */
import type { z } from 'zod';

/** By the name of the component. */
export type Catalog = Readonly<Record<string, z.ZodType>>;

/** Own keys only: a component may be called like something every object has. */
export const schemaOf = (catalog: Catalog, type: string): z.ZodType | undefined =>
  Object.hasOwn(catalog, type) ? catalog[type] : undefined;
