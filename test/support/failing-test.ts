import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a program that subtracts, and a test that expects a sum. */
export async function writeFailingTest(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'add.sh'), 'echo $(($1 - $2))\n');
  await writeFile(
    join(folder, 'test.sh'),
    'set -e\nsum=$(sh add.sh 2 3)\n[ "$sum" = 5 ] || { echo "2 + 3 gave $sum"; exit 1; }\n',
  );
}

/** The agent asks before it changes a file, and runs commands. */
export const ASKING_RULES = [
  { tool: 'bash', pattern: '**', action: 'allow' },
  { tool: 'editFile', pattern: '**', action: 'ask' },
  { tool: 'writeFile', pattern: '**', action: 'ask' },
];

/** The model runs a command. */
export const bash = (command: string) => ({ calls: [{ name: 'bash', input: { command } }] });

/** The model runs the test. */
export const runTest = bash('sh test.sh');

/** The model replaces the minus sign. */
export const editTo = (sign: string) => ({
  calls: [
    {
      name: 'editFile',
      input: { path: 'add.sh', edits: [{ oldText: '$1 - $2', newText: `$1 ${sign} $2` }] },
    },
  ],
});
