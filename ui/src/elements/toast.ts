/** Shows a short message at the edge of the screen, and announces it to screen readers. */

export function toast(text: string, tone: 'plain' | 'bad' = 'plain'): void {
  const region =
    document.querySelector('.toasts') ??
    document.body.appendChild(Object.assign(document.createElement('div'), { className: 'toasts', role: 'status' }));
  const note = Object.assign(document.createElement('div'), { className: `toast ${tone}`, textContent: text });
  region.append(note);
  setTimeout(() => note.remove(), tone === 'bad' ? 6000 : 2200);
}
