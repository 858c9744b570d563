import type { Schemas } from '../../lib/api-contract/schema.ts';

type State = Pick<
  Schemas['IndexState'],
  'status' | 'syncId' | 'finishedAt' | 'waitingCount' | 'index' | 'asOf' | 'done' | 'total'
>;

/** Statements about an index that are true whatever its latest sync did. */
export interface IndexFacts {
  /** Undefined while the number is unknown. */
  askable: number | undefined;
  skipped: number;
  unreadable: number;
  /** A sync's progress; undefined while none runs. */
  sync: { done: number; total: number } | undefined;
  /** Files that wait for indexing without a sync. */
  changes: number;
  freshness: 'indexing' | 'failed' | 'unchecked' | 'checked';
}

export function factsOf(state: State): IndexFacts {
  const { index, done, total } = state;
  const isSyncing = isSyncRunning(state);
  return {
    askable: index?.searchable,
    skipped: index === null ? 0 : index.skipped + index.noText,
    unreadable: index?.failed ?? 0,
    sync: isSyncing ? { done, total } : undefined,
    changes: isSyncing ? 0 : state.waitingCount,
    freshness: freshnessOf(state),
  };
}

function freshnessOf({ status, waitingCount, asOf }: State): IndexFacts['freshness'] {
  if (status === 'scanning' || status === 'indexing' || waitingCount > 0) return 'indexing';
  if (status === 'failed') return 'failed';
  return asOf === null ? 'unchecked' : 'checked';
}

/** Groups files by error, largest group first: if the embedding service is down, all fail with one sentence. */
export function groupErrors(errors: Schemas['IndexState']['errors']): { error: string; paths: string[] }[] {
  const groups = Map.groupBy(errors, ({ error }) => error);
  return [...groups]
    .map(([error, of]) => ({ error, paths: of.map(({ path }) => path) }))
    .sort((one, other) => other.paths.length - one.paths.length);
}

/** Images and PDFs may have text that only OCR reads. */
const MAY_BE_SCANNED = /\.(png|jpe?g|gif|webp|tiff?|bmp|pdf)$/i;

/** True if a file was read without OCR, which isn't installed or is disabled, and has no other text. */
export function needsRecognition({
  path,
  reason,
  found,
  recognition,
}: Pick<Schemas['ListedFile'], 'path' | 'reason' | 'found' | 'recognition'>): boolean {
  return (
    reason === 'no_text' && found === undefined && recognition === undefined && MAY_BE_SCANNED.test(path)
  );
}

/** Files that are indexed without a sync also set the status to `indexing`: then the figures are the latest sync's. */
export function isSyncRunning({ status, syncId, finishedAt }: State): boolean {
  return status === 'scanning' || (status === 'indexing' && syncId !== null && finishedAt === null);
}
