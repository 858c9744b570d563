/**
 * Kinds of requests to a model, most urgent first: embed a question, rank results, check sentences against passages,
 * embed a file.
 */
const KINDS = ['question', 'pair', 'claim', 'passages'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Milliseconds. A `passages` request that has waited longer goes first once; otherwise consecutive searches
 * would stop indexing.
 */
const LONGEST_WAIT_MS = 2000;

interface Waiting {
  enter: () => void;
  since: number;
}

/** Allows one run of a model at a time, because concurrent runs take as long as consecutive ones, and more memory. */
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
        setImmediate(pass); // By then, the next run of the same request is in the queue.
      }
    },
  };
}
