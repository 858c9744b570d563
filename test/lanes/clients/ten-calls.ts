import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCommand } from '../servers/install.ts';
import { compileTypescript, ESM_IMPORTS, generate, type Target } from './generators.ts';

/** The page whose programs are run exactly as shown. */
const PAGE = resolve(import.meta.dirname, '../../../docs/reference/conformance.md');

/** Runs the Python program of the page. Returns the last line that it prints. */
export async function runTenCallsInPython(target: Target): Promise<string> {
  const client = await generate(target, 'python');
  const program = join(target.work, 'ten_calls.py');
  await writeFile(program, await programOfPage('python'));
  const env = { PATH: process.env.PATH, PYTHONPATH: client, SERVICE_URL: target.url };
  return lastLine(await runCommand(target.tools.python, [program], { env }));
}

/** Runs the TypeScript program of the page. Returns the last line that it prints. */
export async function runTenCallsInTypescript(target: Target): Promise<string> {
  const folder = join(target.work, 'ten-calls');
  await generate(target, 'typescript-fetch', ESM_IMPORTS, join(folder, 'client'));
  const program = await compileTypescript(target, folder, await programOfPage('ts'));
  const env = { PATH: process.env.PATH, SERVICE_URL: target.url };
  return lastLine(await runCommand(process.execPath, [program], { env }));
}

async function programOfPage(language: string): Promise<string> {
  const [, program] =
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(await readFile(PAGE, 'utf8')) ?? [];
  if (program === undefined) throw new Error(`${PAGE} has no program in ${language}`);
  return program;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
