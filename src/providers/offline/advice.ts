/** How to put a real model in the concierge's place. */
import { PRODUCT } from '../../sdk/index.ts';

export const howToAddAModel = (): string => `To talk to a real model, do one of these and start the gateway again:

- set a key in its environment: \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GEMINI_API_KEY\`, \`OPENROUTER_API_KEY\` or \`GROQ_API_KEY\`
- run Ollama on this machine with a model (\`ollama pull llama3.2\`); it is found by itself
- write it into \`~/.${PRODUCT}/${PRODUCT}.json\`:

\`\`\`json5
{
  models: { providers: { anthropic: { apiKey: "\${ANTHROPIC_API_KEY}" } } },
  agents: { defaults: { model: { primary: "anthropic/claude-opus-4-6" } } },
}
\`\`\`

More in docs/providers/offline.md.`;
