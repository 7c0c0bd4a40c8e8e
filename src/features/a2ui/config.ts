/** The configuration of surfaces. */
import { z } from 'zod';

export const a2uiSchema = z
  .strictObject({
    remoteMedia: z
      .enum(['ask', 'allow', 'block'])
      .default('ask')
      .describe(
        'Images, audio and video of other hosts on surfaces: `ask` loads those of a host once a person clicks, ' +
          '`allow` loads all, `block` none.',
      ),
  })
  .prefault({});
export type A2uiConfig = z.output<typeof a2uiSchema>;
