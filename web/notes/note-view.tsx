import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportName } from '../../lib/api-contract/export-name.ts';
import { readNote } from '../../lib/api-contract/note-sources.ts';
import { useMay } from '../access/role.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { CitationList, nthOf, sourceOf } from '../chat/citations.tsx';
import { citingSentences } from '../chat/cited-sentence.ts';
import { CitingMarkdown } from '../chat/citing-markdown.tsx';
import { CopyCited } from '../chat/copy-cited.tsx';
import { SourcePanel } from '../chat/source-panel.tsx';
import { useMarkedCitations } from '../chat/use-lost.ts';
import { BackLink } from '../parts/back-link.tsx';
import { IconButton, LinkButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { saveFile } from '../parts/save-file.ts';
import { PageHead } from '../shell/page-head.tsx';
import { type Note, useDeleteNote, useNote } from './queries.ts';
import { useKind } from './use-kind.ts';

/** A note with its sources. Each source opens next to it, as in a chat. */
export function NoteView() {
  const { t } = useTranslation();
  const { workspaceId, noteId } = useParams({ from: '/w/$workspaceId/notes/$noteId' });
  const note = useNote(noteId);
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1">
        <Page>
          <BackLink to="/w/$workspaceId/notes" params={{ workspaceId }}>
            {t('shell.notes')}
          </BackLink>
          <Loaded query={note} rows={8} rowClass="h-5">
            {(data) => <ReadNote note={data} />}
          </Loaded>
        </Page>
      </div>
      {note.data && <OpenSource note={note.data} />}
    </div>
  );
}

/** Returns the note, with broken citations marked. */
function useReadNote({ id, workspaceId, content }: Note) {
  const { text, citations } = useMemo(() => readNote(content), [content]);
  const isNote = (document: { id: string; noteId?: string }) => id === (document.noteId ?? document.id);
  return { text, citations: useMarkedCitations(workspaceId, citations, isNote), isNote };
}

function ReadNote({ note }: { note: Note }) {
  const { t, i18n } = useTranslation();
  const { text, citations, isNote } = useReadNote(note);
  const kind = useKind(note);
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <article aria-label={note.title}>
      <PageHead
        title={note.title}
        isContent
        note={[kind, note.reportDate, when.format(new Date(note.updatedAt))]
          .filter((fact) => fact !== null)
          .join(' · ')}
        actions={
          <>
            <CopyCited workspaceId={note.workspaceId} text={text} citations={citations} />
            <Actions note={note} />
          </>
        }
      />
      <div className="mb-6 empty:hidden">
        <BrokenLine workspaceId={note.workspaceId} isDocument={isNote} />
      </div>
      {note.content.trim() === '' && <p className="text-sm text-muted">{t('notes.empty')}</p>}
      <CitingMarkdown headingLevel={2} text={text} citations={citations} messageId="note" />
      <CitationList citations={citations} messageId="note" text={text} headingLevel={2} />
    </article>
  );
}

function OpenSource({ note }: { note: Note }) {
  const { source, nth } = useSearch({ from: '/w/$workspaceId/notes/$noteId' });
  const { text, citations } = useReadNote(note);
  const citation = citations.find((each) => sourceOf('note', each) === source);
  if (source === undefined || citation === undefined) return null;
  return (
    <SourcePanel
      workspaceId={note.workspaceId}
      citation={citation}
      source={source}
      among={citations.map((each) => sourceOf('note', each))}
      sentences={citingSentences(text, citation)}
      nth={nthOf(nth)}
    />
  );
}

function Actions({ note }: { note: Note }) {
  const { t } = useTranslation();
  const { id: noteId, workspaceId, title, content } = note;
  const mayWrite = useMay('member', workspaceId);
  const [isLeaving, setLeaving] = useState(false);
  const download = () =>
    saveFile(new Blob([content], { type: 'text/markdown' }), exportName(title, 'md', 'note'));
  return (
    <>
      <IconButton icon="download" label={t('notes.download')} onClick={download} />
      {mayWrite && (
        <>
          <IconButton icon="trash" label={t('notes.delete')} onClick={() => setLeaving(true)} />
          <LinkButton icon="edit" to="/w/$workspaceId/notes/$noteId/edit" params={{ workspaceId, noteId }}>
            {t('notes.edit')}
          </LinkButton>
        </>
      )}
      {isLeaving && <DeleteNote note={note} onClose={() => setLeaving(false)} />}
    </>
  );
}

function DeleteNote({ note, onClose }: { note: Note; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { workspaceId } = note;
  const remove = useDeleteNote(workspaceId);
  const leave = () => navigate({ to: '/w/$workspaceId/notes', params: { workspaceId } });
  return (
    <ConfirmDialog
      title={t('notes.deleteTitle', { title: note.title })}
      note={t('notes.deleteNote')}
      action={t('notes.delete')}
      doing={remove}
      onConfirm={() => remove.mutate(note.id, { onSuccess: leave })}
      onClose={onClose}
    />
  );
}
