/** An address for logs and status lines: without credentials, query values and fragments, and short. Pure. */

export function shownUrl(url: string): string {
  const bare = url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1').replace(/#.*$/s, '').replace(/([?&][^=&]{0,64})=[^&]*/g, '$1=…');
  return bare.length > 200 ? `${bare.slice(0, 200)}…` : bare;
}
