/** Names with `*` in them, as settings write them. */
export { fitsStars } from '../core/star-pattern.ts';
