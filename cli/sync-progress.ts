import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '../lib/api-contract/schema.ts';
import { Failure } from './failure.ts';
import { refusalTexts } from './refusal-texts.ts';
import { cleanLine, clearProgress, dim, showProgress, tellLine, yellow } from './terminal.ts';
import type { Context, Place } from './workspace.ts';

type IndexState = Schemas['IndexState'];

const LOOK_EVERY_MS = 150;
const BAR_WIDTH = 24;
const SHOWN_ERRORS = 5;

/** Updates the index, shows the progress, and reports unreadable files. Throws if the sync itself failed. */
export async function syncIndex(
  { client, workspace, show }: Place,
  { signal, isJson }: Context,
): Promise<IndexState> {
  const params = { path: { workspaceId: workspace.id } };
  await client.call((api) => api.POST('/api/workspaces/{workspaceId}/sync', { params }));
  for (;;) {
    const state = await client.call((api) => api.GET('/api/workspaces/{workspaceId}/sync', { params }));
    if (state.status === 'scanning' || state.status === 'indexing') {
      showProgress(
        state.total === 0 ? 'Looking for files …' : `${drawBar(state)} ${state.done}/${state.total} files`,
      );
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      continue;
    }
    clearProgress();
    if (state.status === 'failed') throw new Failure(refusalTexts().indexingFailed(state.errors[0]?.error));
    if (!isJson) tellErrors(state, show);
    return state;
  }
}

/** Like syncIndex, for a command that only needs an index: a token that can't sync uses the existing one. */
export async function syncIfAllowed(place: Place, context: Context): Promise<void> {
  try {
    await syncIndex(place, context);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error;
    tellLine(dim(refusalTexts().notSynced()));
  }
}

function drawBar({ total, done }: IndexState): string {
  const full = total === 0 ? 0 : Math.round((BAR_WIDTH * Math.min(done, total)) / total);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`;
}

function tellErrors({ errors, failedCount }: IndexState, show: Place['show']): void {
  for (const { path, error } of errors.slice(0, SHOWN_ERRORS))
    tellLine(yellow('failed '), cleanLine(`${show(path)}: ${error}`));
  if (failedCount > SHOWN_ERRORS) tellLine(dim(`… and ${failedCount - SHOWN_ERRORS} more: wrs sync --json`));
}

/** Returns `214 files: 3 new, 1 updated, 2 removed; 5 skipped`. */
export function describeState(state: IndexState): string {
  const { total, newCount, updatedCount, removedCount, failedCount, skippedCount } = state;
  const changes = [
    [newCount, 'new'],
    [updatedCount, 'updated'],
    [removedCount, 'removed'],
    [failedCount, 'failed'],
  ].filter(([count]) => count !== 0);
  const changed = changes.map(([count, word]) => `${count} ${word}`).join(', ') || 'nothing new';
  return `${total} files: ${changed}${skippedCount === 0 ? '' : `; ${skippedCount} skipped`}`;
}
