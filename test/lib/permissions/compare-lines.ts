import { parentPort, workerData } from 'node:worker_threads';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';
import { hostileLine, plantingLine, randomFrom } from './generated-lines.ts';
import { bashIn } from './run-in-bash.ts';

/** How many lines of a kind to compare, by which seed, in which empty folder. */
export interface Comparison {
  kind: 'hostile' | 'planting';
  count: number;
  seed: number;
  folder: string;
}

export interface Compared {
  judged: Record<'allow' | 'ask' | 'deny', number>;
  /** Lines that were run, and those of them that ran what is denied: all that were allowed, and one of each fifty. */
  ran: number;
  ranDenied: number;
  /** Allowed, and ran what is denied. */
  wrong: string[];
}

const KINDS: Record<Comparison['kind'], { make: typeof hostileLine; rules: Rule[] }> = {
  hostile: {
    make: hostileLine,
    rules: [...DEFAULTS, { tool: 'bash', pattern: 'canary*', action: 'deny' }],
  },
  planting: { make: plantingLine, rules: DEFAULTS },
};
const BATCH = 2_000;
const SAMPLE = 50;

/** Lines of the seed, each judged; bash runs those that the judge allows, and a sample of the others. */
async function compare({ kind, count, seed, folder }: Comparison): Promise<Compared> {
  const random = randomFrom(seed);
  const bash = bashIn(folder);
  const total: Compared = { judged: { allow: 0, ask: 0, deny: 0 }, ran: 0, ranDenied: 0, wrong: [] };
  const known = new Set<string>();
  for (let done = 0; done < count; done += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - done) }, () => KINDS[kind].make(random));
    const judged = await Promise.all(
      lines.map(async (line) => ({ line, action: await actionOf(kind, line) })),
    );
    for (const { action } of judged) total.judged[action] += 1;
    const chosen = judged.filter(({ line, action }, at) => {
      const isNew = action === 'allow' && !known.has(line);
      if (isNew) known.add(line);
      return isNew || at % SAMPLE === 0;
    });
    const ran = await bash.run(chosen.map(({ line }) => line));
    total.ran += chosen.length;
    total.ranDenied += ran.size;
    total.wrong.push(
      ...chosen.filter(({ action }, at) => action === 'allow' && ran.has(at)).map(({ line }) => line),
    );
    parentPort?.postMessage({ done: done + lines.length, total });
  }
  return total;
}

async function actionOf(kind: Comparison['kind'], text: string) {
  const call = { tools: ['bash'], argument: { kind: 'shell' as const, text } };
  return (await judge(KINDS[kind].rules, call, { rootPath: '/x', cwd: '' })).action;
}

parentPort?.postMessage({ result: await compare(workerData as Comparison) });
