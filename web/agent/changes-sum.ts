import type { i18n as I18n } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

const KINDS = ['changed', 'created', 'deleted', 'moved'] as const;

type Kind = (typeof KINDS)[number];
type Listed = Pick<Schemas['ChangedFile'], 'type' | 'change'>;

/** Returns a summary such as "Changed 3 files, deleted 2 files and 1 folder". */
export function changesSum(
  { counts, files }: Pick<Schemas['RunChanges'], 'counts'> & { files: readonly Listed[] },
  i18n: Pick<I18n, 't' | 'language'>,
): string {
  const { t, language } = i18n;
  const parts = KINDS.flatMap((kind) => {
    const folders = files.filter(({ type, change }) => type === 'directory' && change === kind).length;
    return countsOf(kind, { files: counts[kind], folders }, i18n);
  });
  if (parts.length === 0) parts.push(t('agent.changes.unknown'));
  const sum = new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(parts);
  return sum.charAt(0).toLocaleUpperCase(language) + sum.slice(1);
}

function countsOf(kind: Kind, count: { files: number; folders: number }, { t }: Pick<I18n, 't'>): string[] {
  const files = t(`agent.changes.${kind}`, { count: count.files });
  if (count.folders === 0) return count.files === 0 ? [] : [files];
  const folders = t('agent.changes.folder', { count: count.folders });
  const isOnly = count.files === 0;
  return [
    isOnly
      ? t(`agent.changes.onlyFolders.${kind}`, { folders })
      : t('agent.changes.withFolders', { files, folders }),
  ];
}

/** Returns the summary for a list of runs, with restored files. Empty for a run that changed no file. */
export function changesOfRun(
  { changes }: Pick<Schemas['AgentRun'], 'changes'>,
  i18n: Pick<I18n, 't' | 'language'>,
): string | undefined {
  if (!changes) return undefined;
  const { undone, ...counts } = changes;
  const count = KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  if (count === 0) return undefined;
  const sum = changesSum({ counts, files: [] }, i18n);
  if (undone === 0) return sum;
  const isAll = undone === count;
  return `${sum} · ${isAll ? i18n.t('agent.changes.done') : i18n.t('agent.changes.partly', { undone, count })}`;
}

/**
 * Returns the effect of an undo on a path that someone has changed since the run. A path that the run created
 * is deleted.
 */
export function forcedUndoOf({ change }: Pick<Schemas['ChangedFile'], 'change'>): 'overwrite' | 'delete' {
  return change === 'created' ? 'delete' : 'overwrite';
}
