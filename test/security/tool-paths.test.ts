import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ripgrepTextSearch } from '../../lib/adapters/ripgrep/text-search.ts';
import { callTool, checkCall } from '../../lib/agent/calls/call.ts';
import { allTools, type ToolPorts } from '../../lib/agent/tools/all-tools.ts';
import { shownPath, workspacePath } from '../../lib/agent/tools/path.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { hostilePaths } from '../support/samples/hostile-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { makeContext, touchQueue } from '../support/tool-context.ts';

/** `PATHS_SEED=…` repeats a failure. */
const SEED = Number(process.env.PATHS_SEED ?? 20261121);
const PATHS = 1500;
const SENTINEL = 'the-text-that-no-answer-may-hold';

const base = await tempFolder();
const outside = join(base, 'outside');
const root = join(base, 'root');
await mkdir(join(outside, 'folder'), { recursive: true });
for (const name of ['secret.txt', 'folder/secret.txt']) await writeFile(join(outside, name), SENTINEL);
await writeFile(join(base, 'secret.txt'), SENTINEL);

/** Targets of an attacker in a workspace, restored after they were replaced. */
async function furnish(): Promise<void> {
  await mkdir(join(root, 'folder'), { recursive: true });
  if (!(await lstat(join(root, 'folder/a.txt')).catch(() => undefined))?.isFile())
    await rm(join(root, 'folder/a.txt'), { recursive: true, force: true });
  await writeFile(join(root, 'folder/a.txt'), 'a');
  const links = {
    out: outside,
    'out-file': join(outside, 'secret.txt'),
    up: '..',
    loop: 'loop',
    in: 'folder',
  };
  const made = [...Object.entries(links), ['dangling', join(outside, 'new')] as const].map(([name, target]) =>
    symlink(target, join(root, name)),
  );
  await Promise.allSettled(made);
}

async function snapshot(): Promise<string[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  const found = entries.filter(({ parentPath, name }) => !join(parentPath, name).startsWith(root));
  const lines = found.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) return path;
    return `${path} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(lines)).sort();
}

const tools = allTools({
  textSearch: ripgrepTextSearch(),
  touchQueue: touchQueue(),
} as Partial<ToolPorts> as ToolPorts);
const INPUTS: Record<string, (path: string) => object> = {
  readFile: (path) => ({ path }),
  listDirectory: (path) => ({ path }),
  grep: (path) => ({ path, pattern: 'text|a', include: ['*'] }),
  writeFile: (path) => ({ path, content: 'a' }),
  editFile: (path) => ({ path, edits: [{ oldText: 'a', newText: 'a' }] }),
};
/**
 * A path that each tool must accept, among the malicious ones, to prove that the attack reaches the files.
 */
const PLAIN: Record<string, string> = { listDirectory: 'folder' };

async function call(name: string, path: string) {
  const checked = checkCall(tools, { id: '1', name, input: JSON.stringify(INPUTS[name]?.(path)) });
  if (checked.refusal !== undefined) return { output: checked.refusal, isError: true };
  return callTool(checked, makeContext(root));
}

function isProblem(text: string, isError: boolean): boolean {
  return (
    text.includes(SENTINEL) ||
    text === '"Something went wrong in the service. Try again."' ||
    (isError && text.includes(base))
  );
}

async function attack(names: string[]) {
  const accepted: string[] = [];
  const problems: string[] = [];
  for (const [turn, hostile] of fc.sample(hostilePaths(outside), { numRuns: PATHS, seed: SEED }).entries()) {
    const name = names[turn % names.length] ?? '';
    const path = turn % 100 < names.length ? (PLAIN[name] ?? 'folder/a.txt') : hostile;
    if (turn % 20 === 0) await furnish();
    const { output, isError } = await call(name, path);
    accepted.push(`${name} ${!isError}`);
    const text = JSON.stringify(output);
    if (isProblem(text, isError)) problems.push(`${name} ${JSON.stringify(path)}: ${text.slice(0, 200)}`);
  }
  return { accepted: [...new Set(accepted)].sort(), problems };
}

describe('malicious paths', () => {
  it(`let no agent tool leave the workspace (PATHS_SEED=${SEED})`, async () => {
    await furnish();
    const before = await snapshot();
    const names = Object.keys(INPUTS).sort();
    const { accepted, problems } = await attack(names);
    expect(problems).toEqual([]);
    expect(await snapshot()).toEqual(before);
    // Every tool accepted some paths and rejected others.
    expect(accepted).toEqual(names.flatMap((name) => [`${name} false`, `${name} true`]));
  });

  it('never climb above the workspace, from any folder of the run', () => {
    fc.assert(
      fc.property(hostilePaths(outside), fc.constantFrom('', 'folder', 'a/b/c'), (path, cwd) => {
        try {
          const own = workspacePath(makeContext(root, { cwd }), path);
          expect(own).not.toMatch(/^(\/|\.\.(\/|$))/);
          expect(join('/', cwd, shownPath({ cwd }, own))).toBe(join('/', own, '.'));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
      }),
      { numRuns: 5000, seed: SEED },
    );
  });
});
