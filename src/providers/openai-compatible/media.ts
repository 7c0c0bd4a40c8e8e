/** Pictures and recordings at any server that speaks OpenAI's language; which model is for its owner to say. */
import { pictureInChat, transcription, type MediaProvider } from '../../sdk/index.ts';
import { addressOf, presetOf } from './vendors.ts';

const place = { baseUrl: addressOf, owner: presetOf };

export const media: MediaProvider = { image: pictureInChat(place), audio: transcription(place) };
