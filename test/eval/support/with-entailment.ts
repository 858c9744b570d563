import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalEmbedder } from '../../../infra/embedder/supervise.ts';
import { readConfig } from '../../../lib/config.ts';
import type { Entailment, EntailmentScores } from '../../../lib/ports/entailment.ts';
import { ENTAILED_FROM, judgmentOf, MAX_CLAIMS, scoreClaims } from '../../../lib/support/entail.ts';
import type { Claim } from '../../../lib/support/judge.ts';
import { openEntailment } from '../../../lib/wiring/entailment.ts';
import { balancedAccuracy, shareFlagged, withInterval } from './shares.ts';

/** The verdict of code for a labeled claim, and the claim in the format of an entailment model. */
export interface Compared {
  /** `supported` of WiCE, `ENTAILMENT` of SICK, and so on. */
  label: string;
  /** True if code found all facts. */
  isOpen: boolean;
  claim: Claim;
}

export type Scored = Compared & { scores: EntailmentScores | undefined };

interface Line {
  name: string;
  shown: string;
}

const DEADLINE_MS = 600_000;
/** Thresholds from which a sentence could be supported, or contradicted. */
const FULL = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];
const CONTRADICTED = [0.8, 0.9, 0.95, 0.98, 0.99, 0.995];

/**
 * Opens a service by its URL (`ENTAILMENT_API_KEY` and `ENTAILMENT_MODEL` apply), or the model installed in
 * DATA_DIR (`local`).
 */
export async function openMeasured(url: string): Promise<{ entailment: Entailment; stop(): void }> {
  if (url !== 'local') {
    const service = openEntailment(readConfig({ ...process.env, ENTAILMENT_BASE_URL: url }));
    if (service !== undefined) return { entailment: service, stop: () => {} };
  }
  const program = new URL('../../../infra/embedder/program.ts', import.meta.url);
  const stop = await startLocalEmbedder(readConfig(), program);
  const entailment = openEntailment(readConfig());
  if (entailment === undefined)
    throw new Error('No entailment model is installed. Run npm run embedder -- install --entailment.');
  await waitUntilLoaded(entailment);
  return { entailment, stop };
}

/**
 * Throws, as a request does, if the process doesn't listen within ten seconds. Later requests wait until the
 * model is loaded.
 */
async function waitUntilLoaded(entailment: Entailment): Promise<void> {
  const pair = { premise: 'owls', hypothesis: 'owls' };
  for (let left = 100; ; left--) {
    try {
      await entailment.entail([pair], { signal: AbortSignal.timeout(DEADLINE_MS), withinMs: DEADLINE_MS });
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}

/**
 * Lets the model score the claims that code leaves open. Throws if a request fails, because its claims would
 * otherwise count as undecided.
 */
export async function scoreOpen(entailment: Entailment, all: Compared[]): Promise<Scored[]> {
  const open = all.filter(({ isOpen }) => isOpen);
  const scores = new Map<Compared, EntailmentScores | undefined>();
  const options = { signal: new AbortController().signal, deadlineMs: DEADLINE_MS };
  let failure: unknown;
  const noted: Entailment = {
    model: entailment.model,
    entail: (pairs, given) =>
      entailment.entail(pairs, given).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
  };
  for (let start = 0; start < open.length; start += MAX_CLAIMS) {
    const batch = open.slice(start, start + MAX_CLAIMS);
    const found = await scoreClaims(
      noted,
      batch.map(({ claim }) => claim),
      options,
    );
    if (failure !== undefined) throw new Error('The entailment model failed.', { cause: failure });
    for (const [at, each] of batch.entries()) scores.set(each, found[at]);
  }
  return all.map((each) => ({ ...each, scores: scores.get(each) }));
}

/**
 * Returns the claims that each threshold would support, counted as in LLM-AggreFact: other claims are
 * flagged. `own` is the label of supported claims.
 */
export function linesOfFull(name: string, all: Scored[], own: string): Line[] {
  return FULL.map((full) => {
    const flagged = all.map(({ label, scores }) => ({
      isSupported: label === own,
      isFlagged: judgmentOf(scores, { ...ENTAILED_FROM, full })?.support !== 'full',
    }));
    const { value, low, high } = withInterval(flagged, balancedAccuracy);
    const [right, wrong] = [true, false].map((isSupported) => 1 - shareFlagged(flagged, isSupported));
    return {
      name: `${name}, code + NLI, supported from ${full}`,
      shown: `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], ${percent(right)} of supported, ${percent(wrong)} of others`,
    };
  });
}

/**
 * Returns the claims, among those that code left open, that each threshold would call contradicted, by label.
 */
export function linesOfContradicted(name: string, all: Scored[]): Line[] {
  const byLabel = [...Map.groupBy(all, ({ label }) => label)];
  return CONTRADICTED.map((contradicted) => {
    const isFound = ({ scores }: Scored) =>
      judgmentOf(scores, { ...ENTAILED_FROM, contradicted })?.support === 'contradicted';
    const shown = byLabel.map(([label, some]) => `${some.filter(isFound).length} of ${some.length} ${label}`);
    return { name: `${name}, NLI, contradicted from ${contradicted}`, shown: shown.join(', ') };
  });
}

function percent(share = 0): string {
  return `${(100 * share).toFixed(0)} %`;
}
