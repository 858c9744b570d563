import { parentPort, workerData } from 'node:worker_threads';
import { effectsOfLine } from '../../../lib/permissions/effects.ts';
import { judge } from '../../../lib/permissions/judge.ts';
import { readsOnly } from '../../../lib/permissions/reads-only.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Action, Rule } from '../../../lib/permissions/schema.ts';
import { mutatedLine, randomFrom } from './mutated-lines.ts';
import { type Bash, bashIn } from './run-in-bash.ts';

/** The number of lines to compare, their seed, and an empty folder. */
export interface Comparison {
  count: number;
  seed: number;
  folder: string;
}

export interface Compared {
  judged: Record<Action, number>;
  /** Lines that bash ran: all allowed ones, and a sample of the others. */
  ran: number;
  /** Lines that ran the denied command. */
  ranDenied: number;
  /** Lines that changed Git hooks. */
  ranHooks: number;
  /** Lines with an effect that was neither shown nor needed approval. */
  holes: string[];
}

const DENIED: Rule[] = [...DEFAULTS, { tool: 'bash', pattern: 'canary*', action: 'deny' }];
const BATCH = 4_000;
const SAMPLE = 25;

interface Line {
  text: string;
  /** With a rule that denies `canary`. */
  action: Action;
  /** Without a rule. */
  isFree: boolean;
  reads: boolean;
  /** The displayed paths; undefined if not all are known. */
  paths: string[] | undefined;
  isSample: boolean;
}

async function compare({ count, seed, folder }: Comparison): Promise<Compared> {
  const random = randomFrom(seed);
  const bash = bashIn(folder);
  const total: Compared = {
    judged: { allow: 0, ask: 0, deny: 0 },
    ran: 0,
    ranDenied: 0,
    ranHooks: 0,
    holes: [],
  };
  const known = new Set<string>();
  for (let done = 0; done < count; done += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, count - done) }, () => mutatedLine(random));
    const lines = await Promise.all(texts.map((text, at) => readLine(text, at % SAMPLE === 0)));
    for (const { action } of lines) total.judged[action] += 1;
    const chosen = lines.filter(({ text, action, isFree, isSample }) => {
      const isNew = !known.has(text) && (action === 'allow' || (isFree && /git|hooks/i.test(text)));
      if (isNew) known.add(text);
      return (isNew || isSample) && !text.includes('\0');
    });
    await compareBatch(bash, chosen, total);
    parentPort?.postMessage({ done: done + lines.length, total });
  }
  return total;
}

async function readLine(text: string, isSample: boolean): Promise<Line> {
  const effects = effectsOfLine(text);
  const isSure = effects.every(({ path }) => path !== undefined);
  const paths = isSure ? effects.flatMap(({ path = '', to = path }) => [path, to]) : undefined;
  const [action, free] = await Promise.all([actionOf(DENIED, text), actionOf(DEFAULTS, text)]);
  return { text, action, isFree: free === 'allow', reads: readsOnly(text), paths, isSample };
}

async function actionOf(rules: Rule[], text: string): Promise<Action> {
  const call = { tools: ['bash'], argument: { kind: 'shell' as const, text } };
  return (await judge(rules, call, { rootPath: '/x', cwd: '' })).action;
}

async function compareBatch(bash: Bash, lines: Line[], total: Compared): Promise<void> {
  const reading = lines.filter(({ reads }) => reads);
  const shown = lines.filter(({ reads, paths }) => !reads && paths !== undefined);
  const others = lines.filter((line) => !reading.includes(line) && !shown.includes(line));
  for (const group of [reading, shown, others]) await compareGroup(bash, group, total, group !== others);
}

async function compareGroup(bash: Bash, lines: Line[], total: Compared, isSure: boolean): Promise<void> {
  const ran = await bash.run(lines.map(({ text }) => text));
  total.ran += lines.length;
  total.ranDenied += ran.canary.size;
  total.ranHooks += ran.hooks.size;
  const wrong = lines.filter(
    ({ text, action, isFree, reads }, at) =>
      (ran.canary.has(at) && (action === 'allow' || isSure)) ||
      (ran.hooks.has(at) && (reads || (isFree && /[.-]git/i.test(text)))),
  );
  total.holes.push(...wrong.map(({ text }) => text));
  if (isSure && changesMore(lines, ran.changed)) total.holes.push(...(await culprits(bash, lines)));
}

/** Returns whether a file changed that no line shows. */
function changesMore(lines: Line[], changed: string[]): boolean {
  const paths = lines.flatMap(({ reads, paths = [] }) => (reads ? [] : paths));
  const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  return changed.some((path) => !paths.some((shown) => isWithin(path, shown) || isWithin(shown, path)));
}

async function culprits(bash: Bash, lines: Line[]): Promise<string[]> {
  const { changed } = await bash.run(lines.map(({ text }) => text));
  if (!changesMore(lines, changed)) return [];
  if (lines.length === 1) return lines.map(({ text }) => text);
  const middle = Math.ceil(lines.length / 2);
  return [...(await culprits(bash, lines.slice(0, middle))), ...(await culprits(bash, lines.slice(middle)))];
}

parentPort?.postMessage({ result: await compare(workerData as Comparison) });
