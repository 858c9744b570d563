import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MoreButton } from '../parts/more-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { type BibliographyEntry, useBibliography } from './queries.ts';

/** The entries of the workspace's bibliographies, each with a link to its document. Nothing if there are none. */
export function Bibliography() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const list = useBibliography(workspaceId);
  if (list.error === null && (list.data === undefined || list.data.length === 0)) return null;
  return (
    <section aria-label={t('papers.bibliography')} className="mt-8 space-y-3">
      <h2 className="text-base font-semibold">{t('papers.bibliography')}</h2>
      <Problem error={list.error} onRetry={() => list.refetch()} />
      {list.data && (
        <Rows label={t('papers.bibliography')}>
          {list.data.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries only have their place, because keys may be repeated
            <EntryRow key={at} workspaceId={workspaceId} entry={entry} />
          ))}
        </Rows>
      )}
      <MoreButton list={list} />
    </section>
  );
}

function EntryRow({ workspaceId, entry }: { workspaceId: string; entry: BibliographyEntry }) {
  const { t } = useTranslation();
  const { key, title, authors, year, venue, doi, arxivId, documents } = entry;
  const [path] = documents;
  const facts = [authors.slice(0, 3).join('; '), year, venue, doi ?? arxivId];
  return (
    <Row>
      <div className="min-w-0 flex-1 basis-60">
        {path === undefined ? (
          <p data-user-content className="break-words">
            {title || key}
          </p>
        ) : (
          <Link
            to="/w/$workspaceId/files"
            params={{ workspaceId }}
            search={{ path }}
            preload={false}
            data-user-content
            className={WHOLE_ROW}
          >
            {title || key}
          </Link>
        )}
        <p data-user-content className="text-xs break-words text-muted">
          {facts.filter((fact) => fact).join(' · ')}
        </p>
      </div>
      <p className="text-xs break-words text-muted">
        {[key && t('papers.entryKey', { key }), path === undefined && t('papers.noDocument')]
          .filter((fact) => fact)
          .join(' · ')}
      </p>
    </Row>
  );
}
