/** Downloads a file from the gateway to the person, part by part. */
import type { BrowserAnswers } from '../answers.ts';
import type { Download } from './lists.ts';

type Ask = (params: { readonly id: string; readonly offset: number }) => Promise<BrowserAnswers['browser.file']>;

export async function saveFile({ id, name }: Download, ask: Ask): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { content, nextOffset } = await ask({ id, offset });
    parts.push(Uint8Array.from(atob(content), (char) => char.charCodeAt(0)));
    offset = nextOffset;
  }
  // Always saved and never displayed, whatever its type.
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
