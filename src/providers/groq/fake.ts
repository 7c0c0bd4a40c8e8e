/** Groq speaks OpenAI's transcriptions word for word (console.groq.com/docs/speech-to-text). */
export { openaiTranscriptions as groqTranscriptions } from '../openai/fake.ts';
