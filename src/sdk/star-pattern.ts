/** Patterns with `*` for names in settings. */
export { fitsStars } from '../core/star-pattern.ts';
