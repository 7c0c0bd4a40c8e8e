/** Takes the pictures an answer names in Markdown out of its words, for channels that send them as files. */
import { AppError } from '../../core/errors.ts';
import { pictureLinks, withoutPictures } from '../../core/directives/picture-links.ts';
import { publicUrl } from './reply-media.ts';

/** Those with a public https address; others stay words. */
export async function takePictures(text: string): Promise<{ readonly text: string; readonly urls: readonly string[] }> {
  const found = await Promise.all(pictureLinks(text).map(async (one) => ((await isPublic(one.url)) ? [one] : [])));
  const pictures = found.flat();
  return { text: withoutPictures(text, pictures), urls: pictures.map(({ url }) => url) };
}

async function isPublic(url: string): Promise<boolean> {
  try {
    await publicUrl(url);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return false;
    throw error;
  }
}
