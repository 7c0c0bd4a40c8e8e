/** Server-sent events of an answer, parsed as they come: one stream where the models' libraries chain three. */
import { createParser } from 'eventsource-parser';

/** What services say when they have nothing more to say. */
const OVER = '[DONE]';

/**
 * What `parse` makes of the data of each event. Nothing is read before somebody asks for it; a broken stream breaks
 * this one with its own error. The build puts it into the models' libraries.
 */
export function lightEvents<T>(
  stream: ReadableStream<Uint8Array>,
  parse: (data: string) => Promise<T>,
): ReadableStream<T> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const said: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void said.push(data) });
  return new ReadableStream<T>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          parser.feed(decoder.decode(value, { stream: true }));
          const found = said.splice(0).filter((data) => data !== OVER);
          for (const data of found) controller.enqueue(await parse(data));
          if (found.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
