import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { Field, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type Note, useNote, useSaveNote, type WrittenNote } from './queries.ts';

export function NewNoteView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return (
    <Page>
      <NoteForm workspaceId={workspaceId} note={undefined} />
    </Page>
  );
}

export function EditNoteView() {
  const { workspaceId, noteId } = useParams({ from: '/w/$workspaceId/notes/$noteId/edit' });
  const note = useNote(noteId);
  return (
    <Page>
      <Loaded query={note} rows={6} rowClass="h-10">
        {(data) => <NoteForm key={noteId} workspaceId={workspaceId} note={data} />}
      </Loaded>
    </Page>
  );
}

function NoteForm({ workspaceId, note }: { workspaceId: string; note: Note | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const save = useSaveNote(workspaceId, note?.id);
  const { draft, change, drop, field } = useFormDraft<WrittenNote>(`note ${note?.id ?? workspaceId}`, {
    title: note?.title ?? '',
    content: note?.content ?? '',
    base: note?.updatedAt,
  });
  const isBehind = note !== undefined && draft.base !== note.updatedAt && !save.isPending && !save.isSuccess;
  const leave = (noteId?: string) =>
    noteId === undefined
      ? navigate({ to: '/w/$workspaceId/notes', params: { workspaceId } })
      : navigate({ to: '/w/$workspaceId/notes/$noteId', params: { workspaceId, noteId } });
  const end = (noteId?: string) => {
    drop();
    void leave(noteId);
  };
  return (
    <Form
      onSend={() => save.mutate(draft, { onSuccess: ({ id }) => end(id) })}
      sending={save}
      isWhole={!isBehind && draft.title.trim() !== ''}
      action={t('notes.save')}
      onCancel={() => end(note?.id)}
      problem={null}
    >
      <PageHead title={t(note === undefined ? 'notes.new' : 'notes.edit')} />
      {isBehind && <Behind note={note} onTake={drop} onKeep={() => change({ base: note.updatedAt })} />}
      {save.error && !isConflict(save.error) && <Problem error={save.error} />}
      <Field label={t('notes.title')} required maxLength={500} {...field('title')} />
      <Content {...field('content')} />
    </Form>
  );
}

/** Returns whether an error is a conflict, which the notice above the form reports. */
function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}

function Content(field: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const [isPreview, setPreview] = useState(false);
  return (
    <div>
      <div className="flex justify-end">
        <Button look="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {t('notes.preview')}
        </Button>
      </div>
      {isPreview ? (
        <div className="min-h-80 rounded-md border border-line bg-surface p-4">
          <Markdown text={field.value} />
        </div>
      ) : (
        <TextArea
          label={t('notes.content')}
          hint={t('notes.markdown')}
          rows={18}
          className="font-mono"
          {...field}
        />
      )}
    </div>
  );
}

interface BehindProps {
  note: Note;
  onTake: () => void;
  onKeep: () => void;
}

/** Shown if another person changed the note since this draft was started, so that nothing is overwritten unseen. */
function Behind({ note, onTake, onKeep }: BehindProps) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Banner look="warn">
        <p>{t('notes.behind')}</p>
        <details className="mt-2 text-ink">
          <summary className="min-h-9 py-1.5">{t('notes.theirs')}</summary>
          <div className="max-h-80 overflow-y-auto rounded-md bg-surface p-3">
            <p className="font-semibold">{note.title}</p>
            <Markdown text={note.content} />
          </div>
        </details>
        <div className="mt-2 flex flex-wrap gap-2 text-ink">
          <Button onClick={onTake}>{t('notes.takeTheirs')}</Button>
          <Button onClick={onKeep}>{t('notes.keepMine')}</Button>
        </div>
      </Banner>
    </div>
  );
}
