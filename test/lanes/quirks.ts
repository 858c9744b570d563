import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeSeen, makeQuirkWorld, playQuirk, whatIsWrong } from '../support/quirks/play-quirk.ts';
import type { Quirk } from '../support/quirks/quirk.ts';
import { quirks } from '../support/quirks/quirks.ts';
import { cleanUp } from '../support/temp-folder.ts';

/**
 * User-visible results with servers that differ from OpenAI's, each as described in a public report: a table.
 * Exits with 1 on a wrong result. `npm run test:quirks -- think` runs those whose names match; `--out FILE`
 * writes the table.
 */
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const AT_ONCE = 8;

const chosen = quirks.filter(({ name }) => name.includes(positionals[0] ?? ''));
const rows = new Map<string, string>();
let wrong = 0;
try {
  const world = await makeQuirkWorld(quirks);
  const play = async (quirk: Quirk) => {
    const seen = await playQuirk(world, quirk);
    const problems = whatIsWrong(seen, quirk.right);
    if (problems.length > 0) wrong += 1;
    const cells = [
      quirk.name,
      quirk.source,
      describeSeen(seen),
      problems.length === 0 ? 'yes' : `no: ${problems.join('; ')}`,
    ];
    const row = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    rows.set(quirk.name, row);
    console.log(row);
  };
  // These change the settings, so they run one after the other, after the others.
  const isAlone = ({ way }: Quirk) => way === 'connect' || way === 'note';
  const waiting = chosen.filter((quirk) => !isAlone(quirk));
  const playNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await play(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playNext));
  for (const quirk of chosen.filter(isAlone)) await play(quirk);
} finally {
  await cleanUp();
}
const table = [
  '| quirk | source | seen | right? |',
  '|---|---|---|---|',
  ...chosen.map(({ name }) => rows.get(name) ?? ''),
];
const summary = `${chosen.length - wrong} of ${chosen.length} are as they should be.`;
if (values.out !== undefined) await writeFile(values.out, `${table.join('\n')}\n\n${summary}\n`);
console.log(summary);
process.exitCode = wrong === 0 ? 0 : 1;
