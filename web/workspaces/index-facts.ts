import type { Schemas } from '../../lib/api-contract/schema.ts';

type State = Pick<
  Schemas['IndexState'],
  'status' | 'syncId' | 'finishedAt' | 'waitingCount' | 'index' | 'asOf' | 'done' | 'total'
>;

/** What can be said about an index: each is true whatever its latest sync did. */
export interface IndexFacts {
  /** Undefined while the number is unknown. */
  askable: number | undefined;
  skipped: number;
  unreadable: number;
  /** How far a sync is; undefined while none runs. */
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

/** Files that failed alike, most first: an embedding service that is down fails all of them with one sentence. */
export function groupErrors(errors: Schemas['IndexState']['errors']): { error: string; paths: string[] }[] {
  const groups = Map.groupBy(errors, ({ error }) => error);
  return [...groups]
    .map(([error, of]) => ({ error, paths: of.map(({ path }) => path) }))
    .sort((one, other) => other.paths.length - one.paths.length);
}

/** Images and PDFs may have text that only OCR reads. */
const MAY_BE_SCANNED = /\.(png|jpe?g|gif|webp|tiff?|bmp|pdf)$/i;

/** Whether a file was read without OCR, which isn't installed or disabled, and has no other text. */
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

/** Files that are indexed without a sync make the status `indexing`, too: then the figures are those of the latest sync. */
export function isSyncRunning({ status, syncId, finishedAt }: State): boolean {
  return status === 'scanning' || (status === 'indexing' && syncId !== null && finishedAt === null);
}
