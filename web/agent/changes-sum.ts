import type { i18n as I18n } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

const KINDS = ['changed', 'created', 'deleted', 'moved'] as const;

/** "Changed 3 files, deleted 2 files". */
export function changesSum(
  { counts, files }: Pick<Schemas['RunChanges'], 'counts'> & { files: readonly unknown[] },
  { t, language }: Pick<I18n, 't' | 'language'>,
): string {
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
    t(`agent.changes.${kind}`, { count: counts[kind] }),
  );
  if (parts.length === 0) parts.push(t(files.length > 0 ? 'agent.changes.folders' : 'agent.changes.unknown'));
  const sum = new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(parts);
  return sum.charAt(0).toLocaleUpperCase(language) + sum.slice(1);
}

/** The same in a list of runs, and what an undo put back; nothing for a run that changed no file. */
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
