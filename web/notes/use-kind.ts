import { useTranslation } from 'react-i18next';
import { useMe } from '../access/role.ts';
import type { Note } from './queries.ts';

/** Returns a label with a note's kind and owner, because all notes of a workspace are visible to everyone in it. */
export function useKind({ type, createdBy, createdByName }: Note): string {
  const { t } = useTranslation();
  const me = useMe();
  const kind = t(type === 'manual' ? 'notes.plain' : `notes.types.${type}`);
  if (createdBy === undefined || me.data === undefined) return kind;
  if (createdBy === me.data.id) return type === 'manual' ? t('notes.types.manual') : kind;
  return t('notes.by', { kind, who: createdByName ?? createdBy });
}
