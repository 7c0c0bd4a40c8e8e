/** Rejects browsers that are too old, with a clear error instead of later failures. */
import { AppError } from '../../../core/errors.ts';

/** The first one whose windowless mode is that of the browser itself; what scripts of the driver need is older. */
const OLDEST = 112;

/** `said`: `HeadlessChrome/150.0.7871.181`, or the version alone. One that does not say is taken as it is. */
export function refuseOld(said: string): void {
  const major = Number(/(\d{1,4})\./.exec(said)?.[1]);
  if (!(major < OLDEST)) return;
  throw new AppError(
    'unsupported',
    `The browser is version ${major}; at least ${OLDEST} is needed. Update it, or name another one in ` +
      'browser.executablePath.',
  );
}
