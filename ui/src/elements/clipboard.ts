/** Copies text, also where the clipboard API is missing (plain HTTP). */

export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (cause) {
      if (!(cause instanceof DOMException)) throw cause;
      // The API refused; the fallback below may still be allowed.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
