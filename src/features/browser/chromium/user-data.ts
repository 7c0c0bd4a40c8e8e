/** The data folder of each profile. */
import { join } from 'node:path';

/** `folder`: the folder of the profile, absolute. */
export const userDataOf = (folder: string): string => join(folder, 'user-data');
