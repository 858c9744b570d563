import {
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { GeneratedNoteType } from '../../lib/api-contract/note-types.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { BY_CURSOR, itemsOf, takePage } from '../api/page.ts';
import { useChange } from '../api/use-change.ts';

export type Note = Schemas['Note'];
export type NoteType = Note['type'];

export interface NotesFilter {
  type?: NoteType | undefined;
  q?: string | undefined;
}

const LISTED = 50;

export function useNotes(workspaceId: string, { type, q = '' }: NotesFilter) {
  const words = q.trim();
  const wanted = { workspaceId, limit: LISTED, ...(type && { type }), ...(words !== '' && { q: words }) };
  return useInfiniteQuery({
    queryKey: ['notes', workspaceId, type, words],
    queryFn: ({ pageParam }) =>
      takePage(
        (cursor) => api.GET('/api/notes', { params: { query: { ...wanted, ...(cursor && { cursor }) } } }),
        pageParam,
      ),
    ...BY_CURSOR,
    select: itemsOf,
    placeholderData: (before) => before,
  });
}

export function useNote(noteId: string) {
  return useQuery({
    queryKey: ['note', noteId],
    queryFn: () => take(api.GET('/api/notes/{noteId}', { params: { path: { noteId } } })),
  });
}

export interface WrittenNote {
  title: string;
  content: string;
  /** The note's `updatedAt` when it was read; undefined for a note that isn't stored yet. */
  base?: string | undefined;
}

export function useSaveNote(workspaceId: string, noteId: string | undefined) {
  return useChange(
    {
      rereads: [
        ['notes', workspaceId],
        ['note', noteId],
      ],
      stores: (note) => [['note', note.id], note],
      evenIfRefused: true,
    },
    ({ title, content, base }: WrittenNote) =>
      noteId === undefined
        ? take(api.POST('/api/notes', { body: { workspaceId, title, content } }))
        : take(
            api.PUT('/api/notes/{noteId}', {
              params: { path: { noteId } },
              body: { title, content, ...(base !== undefined && { ifUpdatedAt: base }) },
            }),
          ),
  );
}

export function useDeleteNote(workspaceId: string) {
  return useChange({ rereads: [['notes', workspaceId]] }, (noteId: string) =>
    take(api.DELETE('/api/notes/{noteId}', { params: { path: { noteId } } })),
  );
}

export type Outcome = Note | Schemas['SkippedReport'];

const writing = (workspaceId: string) => ['write-note', workspaceId];

export function useWriteNote(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: writing(workspaceId),
    mutationFn: ({ type, locale }: { type: GeneratedNoteType; locale: string }): Promise<Outcome> =>
      take(api.POST('/api/generate', { body: { workspaceId, type, locale } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['notes', workspaceId] }),
  });
}

export interface Writing {
  type: GeneratedNoteType;
  startedAt: number;
  status: 'idle' | 'pending' | 'success' | 'error';
  outcome: Outcome | undefined;
  error: Error | null;
}

/**
 * Returns the latest requested note, on any page of the console, because people may open another page in the
 * meantime.
 */
export function useWriting(workspaceId: string): Writing | undefined {
  return useMutationState({
    filters: { mutationKey: writing(workspaceId) },
    select: ({ state }): Writing => ({
      type: (state.variables as { type: GeneratedNoteType }).type,
      startedAt: state.submittedAt,
      status: state.status,
      outcome: state.data as Outcome | undefined,
      error: state.error,
    }),
  }).at(-1);
}
