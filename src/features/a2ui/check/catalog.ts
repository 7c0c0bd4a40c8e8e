/** A catalogue of components: what each one is called, and which properties it takes. */
import type { z } from 'zod';

/** By the name of the component. */
export type Catalog = Readonly<Record<string, z.ZodType>>;

/** Own keys only: a component may be called like something every object has. */
export const schemaOf = (catalog: Catalog, type: string): z.ZodType | undefined =>
  Object.hasOwn(catalog, type) ? catalog[type] : undefined;
