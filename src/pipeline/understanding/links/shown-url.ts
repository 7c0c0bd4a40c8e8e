/** An address for logs and status lines: without credentials, query values and fragments, and short. Pure. */
import { excerpt } from '../../../core/cut.ts';

export function shownUrl(url: string): string {
  const bare = url
    .replace(/^(https?:\/\/)[^/?#]*@/i, '$1')
    .replace(/#.*$/s, '')
    .replace(/([?&][^=&]{0,64})=[^&]*/g, '$1=…');
  return excerpt(bare, 200);
}
