/** How to put a real model in the concierge's place. */
import { PRODUCT } from '../../sdk/index.ts';

/** For whoever asks for help. */
export const howToAddAModel = (): string => `For a real model, do one of these:

- set \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GEMINI_API_KEY\`, \`OPENROUTER_API_KEY\` or \`GROQ_API_KEY\` and start the gateway again
- run Ollama on this machine with a model (\`ollama pull llama3.2\`) and start the gateway again
- write it into \`~/.${PRODUCT}/${PRODUCT}.json\`; that counts from the next message on:

\`\`\`json5
{
  models: { providers: { anthropic: { apiKey: "\${ANTHROPIC_API_KEY}" } } },
  agents: { defaults: { model: { primary: "anthropic/claude-opus-4-6" } } },
}
\`\`\``;

/** In one line, for every other answer about itself. */
export const BRIEFLY =
  'Say `help` for what I can do. For a real model set a key such as `ANTHROPIC_API_KEY` and start the gateway again.';
