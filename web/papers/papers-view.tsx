import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PaperSource } from '../../lib/api-contract/paper-sources.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { Bibliography } from './bibliography.tsx';
import { PaperCard } from './paper-card.tsx';
import { sourcesOf, usePapers } from './queries.ts';
import { SavedPapers } from './saved-papers.tsx';
import { SearchForm } from './search-form.tsx';

export function PapersView() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/w/$workspaceId/papers' });
  return (
    <Page>
      <PageHead title={t('shell.papers')} note={t('papers.note')} />
      <SearchForm key={JSON.stringify(search)} search={search} />
      {search.q ? (
        <Found />
      ) : (
        <>
          <SavedPapers />
          <Bibliography />
        </>
      )}
    </Page>
  );
}

/** Queries all sources again. */
function Again({ papers }: { papers: ReturnType<typeof usePapers> }) {
  const { t } = useTranslation();
  return (
    <Button icon="again" disabled={papers.isFetching} onClick={() => void papers.refetch()}>
      {t('parts.tryAgain')}
    </Button>
  );
}

function Found() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/w/$workspaceId/papers' });
  const papers = usePapers(search);
  const { data } = papers;
  const failed = Object.entries(data?.errors ?? {});
  const noneAnswered = failed.length > 0 && failed.length === sourcesOf(search).length;
  return (
    <section aria-label={t('papers.found')} aria-busy={papers.isFetching} className="mt-6 space-y-3">
      <Problem error={papers.error} onRetry={() => papers.refetch()} />
      {papers.isLoading && (
        <>
          <p role="status" className="text-sm text-muted">
            {t('papers.searching')}
          </p>
          <Skeletons rows={4} className="h-28" />
        </>
      )}
      {failed.map(([source, reason]) => (
        <Banner key={source} look="warn">
          {t('papers.sourceFailed', { source: t(`papers.sources.${source as PaperSource}`) })}{' '}
          <ServiceText text={reason} />
        </Banner>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <p className="text-muted">{data && !noneAnswered && t('papers.count', { count: data.totalCount })}</p>
        {failed.length > 0 && <Again papers={papers} />}
        <Link
          from="/w/$workspaceId/papers"
          to="/w/$workspaceId/papers"
          search={{}}
          className="inline-flex min-h-9 items-center text-accent underline"
        >
          {t('papers.showSaved')}
        </Link>
      </div>
      {data?.articles.length === 0 && (
        <EmptyState
          icon={noneAnswered ? 'warn' : 'paper'}
          title={t(noneAnswered ? 'papers.noneAsked' : 'papers.none')}
          next={t(noneAnswered ? 'papers.noneAskedNext' : 'papers.noneNext')}
        />
      )}
      {data?.articles.map((article) => (
        <PaperCard key={article.id} article={article} />
      ))}
    </section>
  );
}
