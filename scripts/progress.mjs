/** Prints the progress of scripts, and runs other programs: one line per phase, output only on failure. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checkout, with a trailing slash. */
export const root = fileURLToPath(new URL('../', import.meta.url));

export const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** A failure whose message is all a person needs: what was wrong and what to do. */
export class Problem extends Error {}

/** Announces a phase, says every five seconds that it is still going, and closes with the time it took. */
export async function phase(label, work) {
  const start = performance.now();
  console.log(`▸ ${label} …`);
  const ticker = setInterval(() => console.log(`  … ${secondsSince(start)}`), 5000);
  try {
    const result = await work();
    console.log(`✓ ${label} (${secondsSince(start)})`);
    return result;
  } finally {
    clearInterval(ticker);
  }
}

/** Runs a program without a terminal and resolves with its exit code and everything it printed; never rejects. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
      env: { ...(options.env ?? process.env), NO_COLOR: '1' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output }),
    );
  });
}

/** The last lines of a program's output, indented, for an error message. */
export const tail = (output, lines = 40) =>
  output
    .trim()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n');

/** Runs `main` and turns a `Problem` into its message and exit code 1. */
export async function script(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`\n✗ ${error.message}`);
    process.exit(1);
  }
}
