import type { i18n as I18n } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

const KINDS = ['changed', 'created', 'deleted', 'moved'] as const;

/** "Changed 3 files, deleted 2 files". */
export function changesSum(
  { counts, files }: Pick<Schemas['RunChanges'], 'counts' | 'files'>,
  { t, language }: Pick<I18n, 't' | 'language'>,
): string {
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
    t(`agent.changes.${kind}`, { count: counts[kind] }),
  );
  if (parts.length === 0) parts.push(t(files.length > 0 ? 'agent.changes.folders' : 'agent.changes.unknown'));
  const sum = new Intl.ListFormat(language, { style: 'narrow', type: 'conjunction' }).format(parts);
  return sum.charAt(0).toLocaleUpperCase(language) + sum.slice(1);
}
