/** Rejects browsers that are too old, with a clear error instead of later failures. */
import { AppError } from '../../../core/errors.ts';

/** The first version whose headless mode is the full browser; scripts of the driver require less. */
const OLDEST = 112;

/** `said`: `HeadlessChrome/150.0.7871.181`, or the version alone. A browser without a version is accepted. */
export function refuseOld(said: string): void {
  const major = Number(/(\d{1,4})\./.exec(said)?.[1]);
  if (!(major < OLDEST)) return;
  throw new AppError(
    'unsupported',
    `The browser is version ${major}; at least ${OLDEST} is needed. Update it, or name another one in ` +
      'browser.executablePath.',
  );
}
