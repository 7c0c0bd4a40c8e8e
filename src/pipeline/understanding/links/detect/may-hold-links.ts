/** The cheap question asked of every message; the finder and its libraries load only for a yes. */

export const mayHoldLinks = (text: string): boolean => /https?:\/\//i.test(text);
