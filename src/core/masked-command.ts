/** Masks the value in typed commands that change settings, because it may be a secret. Pure. */

/** `/config set` and `/debug set`, wherever they stand in the text; the path stays. */
const ASSIGNMENT =
  /(\/(?:config|debug)(?:@[\w-]+)?:?\s{1,20}set\b\s{0,20}(?:[^\s=]{1,200}\s{0,20}=)?)(?=\s*\S)[\s\S]*/i;

/** A command line without the values of variables set in front of it, for logs and lists. */
export const maskedCommand = (text: string): string => text.replace(ASSIGNMENT, '$1…');
