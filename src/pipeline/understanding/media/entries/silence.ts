/** What recognisers write when nobody spoke. */

const ARTEFACTS = ['context:', '###', 'transcribe the audio', 'transcribe the audio.'];

/** The transcript, or nothing when it is one of the things recognisers say to silence. */
export function spokenText(transcript: string): string {
  const plain = transcript.toLowerCase().replace(/\s+/g, ' ').trim();
  return ARTEFACTS.includes(plain) ? '' : transcript;
}
