import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { NOTE_TYPES } from '../../lib/api-contract/note-types.ts';
import { useMay } from '../access/role.ts';
import { BrokenLine } from '../broken-citations/broken-line.tsx';
import { LinkButton } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { Row, WHOLE_ROW } from '../parts/rows.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type Note, type NotesFilter, type NoteType, useNotes } from './queries.ts';
import { useKind } from './use-kind.ts';
import { WriteNote } from './write-note.tsx';

export function NotesView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const mayWrite = useMay('member', workspaceId);
  return (
    <Page>
      <PageHead
        title={t('shell.notes')}
        note={t('notes.note')}
        actions={
          mayWrite && (
            <LinkButton icon="plus" to="/w/$workspaceId/notes/new" params={{ workspaceId }}>
              {t('notes.new')}
            </LinkButton>
          )
        }
      />
      <BrokenLine workspaceId={workspaceId} />
      {mayWrite && <WriteNote workspaceId={workspaceId} />}
      <NoteList workspaceId={workspaceId} />
    </Page>
  );
}

function NoteList({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const search = useSearch({ from: '/w/$workspaceId/notes' });
  const navigate = useNavigate({ from: '/w/$workspaceId/notes' });
  const filter: NotesFilter = { q: search.q, type: NOTE_TYPES.find((each) => each === search.type) };
  const list = useNotes(workspaceId, filter);
  const look = (changed: NotesFilter) =>
    void navigate({ search: { q: search.q, type: search.type, ...changed }, replace: true });
  return (
    <section aria-label={t('shell.notes')} className="mt-6">
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchBox
          label={t('notes.search')}
          value={search.q ?? ''}
          onChange={(q) => look({ q: q || undefined })}
        />
        <TypeFilter value={filter.type} onChange={(type) => look({ type })} />
      </div>
      <LoadedRows
        query={list}
        rowClass="h-16"
        label={t('shell.notes')}
        empty={<NoNotes isFiltered={search.q !== undefined || filter.type !== undefined} />}
      >
        {(note) => <NoteRow key={note.id} note={note} />}
      </LoadedRows>
      <MoreButton list={list} />
    </section>
  );
}

function TypeFilter({
  value,
  onChange,
}: {
  value: NoteType | undefined;
  onChange: (type?: NoteType) => void;
}) {
  const { t } = useTranslation();
  return (
    <select
      aria-label={t('notes.type')}
      value={value ?? ''}
      onChange={({ target }) => onChange(NOTE_TYPES.find((each) => each === target.value))}
      className="min-h-9 rounded-md border border-line bg-surface px-2 text-sm"
    >
      <option value="">{t('notes.allTypes')}</option>
      {NOTE_TYPES.map((each) => (
        <option key={each} value={each}>
          {t(`notes.types.${each}`)}
        </option>
      ))}
    </select>
  );
}

function NoNotes({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation();
  if (isFiltered) return <p className="py-6 text-center text-sm text-muted">{t('notes.noneFound')}</p>;
  return <EmptyState icon="note" title={t('notes.none')} next={t('notes.noneNext')} />;
}

const EXCERPT = 200;

function NoteRow({ note }: { note: Note }) {
  const { i18n } = useTranslation();
  const { id: noteId, workspaceId, title, content, reportDate, updatedAt } = note;
  const kind = useKind(note);
  const facts = [kind, reportDate, formatAgo(updatedAt, i18n.language)];
  return (
    <Row>
      <div className="min-w-0 flex-1">
        <Link
          to="/w/$workspaceId/notes/$noteId"
          params={{ workspaceId, noteId }}
          data-user-content
          className={WHOLE_ROW}
        >
          {title}
        </Link>
        <p data-user-content className="truncate text-sm text-muted">
          {content.slice(0, EXCERPT).replace(/[#*_>`|\s]+|-{2,}:?/g, ' ')}
        </p>
        <p className="text-xs text-muted">{facts.filter((fact) => fact !== null).join(' · ')}</p>
      </div>
    </Row>
  );
}
