import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { findSaved, openPdfOf } from './find-saved.ts';
import { type Article, useKeepPaper, useKeptPapers } from './queries.ts';

/** Saves the PDF in the workspace, or shows that it is already saved, or isn't open access. */
export function SavePaper({ article }: { article: Article }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const may = useMay('member', workspaceId);
  const kept = useKeptPapers(workspaceId);
  const keep = useKeepPaper(workspaceId);
  const there = keep.data ?? findSaved(article, kept.data ?? []);
  if (there) return <KeptLink path={there.path} hasFocus={keep.isSuccess} />;
  const pdfUrl = openPdfOf(article);
  if (pdfUrl === undefined) return <Badge>{t('papers.notOpen')}</Badge>;
  if (!may || kept.isPending) return null;
  return (
    <>
      <Button look="quiet" icon="download" disabled={keep.isPending} onClick={() => keep.mutate(pdfUrl)}>
        {t(keep.isPending ? 'papers.saving' : 'papers.save')}
      </Button>
      {keep.isPending && (
        <span role="status" className="text-muted">
          {t('papers.savingLong')}
        </span>
      )}
      {keep.error && (
        <div className="basis-full">
          <Problem error={keep.error} />
        </div>
      )}
    </>
  );
}

/** A link to the saved file, which replaces the button, and takes its focus. */
function KeptLink({ path, hasFocus }: { path: string; hasFocus: boolean }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (hasFocus) link.current?.focus();
  }, [hasFocus]);
  return (
    <Link
      ref={link}
      to="/w/$workspaceId/files"
      params={{ workspaceId }}
      search={{ path }}
      preload={false}
      className="inline-flex min-h-9 items-center gap-2 px-2.5 font-medium text-accent underline"
    >
      <Icon name="check" size={16} />
      {t('papers.openSaved')}
    </Link>
  );
}
