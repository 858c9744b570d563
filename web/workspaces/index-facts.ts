import type { Schemas } from '../../lib/api-contract/schema.ts';

type State = Pick<
  Schemas['IndexState'],
  'status' | 'syncId' | 'finishedAt' | 'waitingCount' | 'index' | 'asOf' | 'done' | 'total'
>;

/** Facts about an index that don't depend on the result of its latest sync. */
export interface IndexFacts {
  /** Number of files that can be asked about; undefined if unknown. */
  askable: number | undefined;
  skipped: number;
  unreadable: number;
  /** A running sync's progress; undefined if none runs. */
  sync: { done: number; total: number } | undefined;
  /** Number of files that wait for indexing without a sync. */
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

/**
 * Groups files by error, largest group first, because all fail with the same message if the embedding service is down.
 */
export function groupErrors(errors: Schemas['IndexState']['errors']): { error: string; paths: string[] }[] {
  const groups = Map.groupBy(errors, ({ error }) => error);
  return [...groups]
    .map(([error, of]) => ({ error, paths: of.map(({ path }) => path) }))
    .sort((one, other) => other.paths.length - one.paths.length);
}

/** Matches images and PDFs, which may have text that only OCR reads. */
const MAY_BE_SCANNED = /\.(png|jpe?g|gif|webp|tiff?|bmp|pdf)$/i;

/** Returns whether a file was read without OCR, which isn't installed or is disabled, and has no other text. */
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

/**
 * Returns whether a sync is running. Files that are indexed without a sync also set the status to `indexing`; the
 * numbers are then the latest sync's.
 */
export function isSyncRunning({ status, syncId, finishedAt }: State): boolean {
  return status === 'scanning' || (status === 'indexing' && syncId !== null && finishedAt === null);
}
