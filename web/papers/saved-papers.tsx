import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Row, WHOLE_ROW } from '../parts/rows.tsx';
import { type KeptPaper, useKeptPapers } from './queries.ts';

/** The workspace's saved papers, from reports and people, each with a link to its file. */
export function SavedPapers() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const kept = useKeptPapers(workspaceId);
  return (
    <section aria-label={t('papers.savedHere')} aria-busy={kept.isFetching} className="mt-8 space-y-3">
      <h2 className="text-base font-semibold">{t('papers.savedHere')}</h2>
      <LoadedRows
        query={kept}
        rows={3}
        rowClass="h-16"
        empty={<EmptyState icon="paper" title={t('papers.noneSaved')} next={t('papers.noneSavedNext')} />}
        label={t('papers.savedHere')}
      >
        {(paper) => <KeptRow key={paper.path} workspaceId={workspaceId} paper={paper} />}
      </LoadedRows>
    </section>
  );
}

function KeptRow({ workspaceId, paper }: { workspaceId: string; paper: KeptPaper }) {
  const { t, i18n } = useTranslation();
  const { path, title, authors, publishedDate, doi, arxivId, license, retrievedAt, isWhole } = paper;
  const facts = [
    authors.slice(0, 3).join(', ') || null,
    publishedDate,
    doi ?? arxivId,
    license,
    retrievedAt && t('papers.fetched', { ago: formatAgo(retrievedAt, i18n.language) }),
  ];
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/w/$workspaceId/files"
          params={{ workspaceId }}
          search={{ path }}
          preload={false}
          data-user-content
          className={WHOLE_ROW}
        >
          {title || path}
        </Link>
        <p data-user-content className="text-xs break-words text-muted">
          {facts.filter((fact) => fact).join(' · ')}
        </p>
      </div>
      {!isWhole && <Badge look="warn">{t('papers.abstractOnly')}</Badge>}
    </Row>
  );
}
