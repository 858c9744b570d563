import { useDraft } from '../chat/draft.ts';
import type { Note, WrittenNote } from './queries.ts';

/** What is being written: kept over a reload, with what the note was when it was begun. */
export function useNoteDraft(name: string, note: Note | undefined) {
  const [kept, keep] = useDraft(`note ${name}`);
  const draft = readDraft(kept) ?? {
    title: note?.title ?? '',
    content: note?.content ?? '',
    base: note?.updatedAt,
  };
  return {
    draft,
    change: (changed: Partial<WrittenNote>) => keep(JSON.stringify({ ...draft, ...changed })),
    drop: () => keep(''),
  };
}

function readDraft(kept: string): WrittenNote | undefined {
  if (kept === '') return undefined;
  try {
    return JSON.parse(kept) as WrittenNote;
  } catch {
    return undefined;
  }
}
