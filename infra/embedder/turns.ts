/**
 * The requests of a model, most urgent first: a question's vector, the order of results, whether sentences are
 * supported, a file's vectors.
 */
const KINDS = ['question', 'pair', 'claim', 'passages'] as const;
export type Kind = (typeof KINDS)[number];

/** Passages that have waited longer go first, once: consecutive searches must not stop indexing. */
const LONGEST_WAIT_MS = 2000;

interface Waiting {
  enter: () => void;
  since: number;
}

/** Allows one run of a model at a time: concurrent ones take as long as consecutive ones, and more memory. */
export function oneRunAtATime(longestWaitMs = LONGEST_WAIT_MS) {
  const waiting: Record<Kind, Waiting[]> = { question: [], pair: [], claim: [], passages: [] };
  let busy = false;
  const turn = async (kind: Kind) => {
    if (busy) await new Promise<void>((enter) => waiting[kind].push({ enter, since: performance.now() }));
    busy = true;
  };
  const pass = () => {
    const [passages] = waiting.passages;
    const isLate = passages !== undefined && performance.now() - passages.since > longestWaitMs;
    const next = isLate ? 'passages' : KINDS.find((kind) => waiting[kind].length > 0);
    busy = next !== undefined;
    if (next !== undefined) waiting[next].shift()?.enter();
  };
  return {
    waiting: () => KINDS.reduce((sum, kind) => sum + waiting[kind].length, 0),
    async run<Result>(kind: Kind, work: () => Promise<Result>): Promise<Result> {
      await turn(kind);
      try {
        return await work();
      } finally {
        setImmediate(pass); // the next run of the same request is in the queue by then
      }
    },
  };
}
