import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { keepDraft } from '../parts/kept-draft.ts';
import { OutwardLink } from '../parts/outward-link.tsx';
import { saveFile } from '../parts/save-file.ts';
import { bibtexOf } from './bibtex.ts';
import type { Article } from './queries.ts';
import { SavePaper } from './save-paper.tsx';

const AUTHORS_SHOWN = 6;

/** A paper as its source describes it. All of its text is untrusted. */
export function PaperCard({ article }: { article: Article }) {
  const { t } = useTranslation();
  const { title, authors, abstract, url, pdfUrl, publishedDate, source, doi, license = null } = article;
  const facts = [publishedDate, t(`papers.sources.${source}`), doi, license];
  const more = authors.length - AUTHORS_SHOWN;
  return (
    <article aria-label={title} data-user-content className="rounded-lg border border-line bg-surface p-4">
      <h2 className="font-semibold break-words">{title}</h2>
      <p className="text-sm break-words text-muted">
        {authors.slice(0, AUTHORS_SHOWN).join(', ')}
        {more > 0 && ` ${t('papers.moreAuthors', { count: more })}`}
      </p>
      <p className="text-xs break-words text-muted">{facts.filter((fact) => fact !== null).join(' · ')}</p>
      {abstract !== '' && (
        <details className="group/abstract mt-2 text-sm">
          <summary className="min-h-9 list-none py-1.5 break-words">
            <span className="line-clamp-2 group-open/abstract:line-clamp-none">{abstract}</span>
          </summary>
        </details>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <OutwardLink href={url} text={t('papers.open')} />
        {pdfUrl !== null && <OutwardLink href={pdfUrl} text="PDF" />}
        <CopyBibtex article={article} />
        <ReadIt article={article} />
        <SavePaper article={article} />
      </div>
    </article>
  );
}

/** Copies the BibTeX entry, or downloads it as a file if the page can't access the clipboard. */
function CopyBibtex({ article }: { article: Article }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const entry = bibtexOf(article);
    try {
      await navigator.clipboard.writeText(entry);
      setCopied(true);
    } catch {
      saveFile(new Blob([entry], { type: 'application/x-bibtex' }), 'paper.bib');
    }
  };
  return (
    <Button look="quiet" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
      {t(isCopied ? 'papers.copied' : 'papers.bibtex')}
    </Button>
  );
}

/**
 * Asks the agent to read the paper: puts the task into the agent's text box, so that the person can edit it
 * before sending.
 */
function ReadIt({ article: { title, url, pdfUrl } }: { article: Article }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const navigate = useNavigate();
  const may = useMay('member', workspaceId);
  if (!may) return null;
  const ask = () => {
    keepDraft(`agent ${workspaceId}`, t('papers.askAgent', { title, address: pdfUrl ?? url }));
    void navigate({ to: '/w/$workspaceId/agent', params: { workspaceId } });
  };
  return (
    <Button look="quiet" icon="agent" onClick={ask}>
      {t('papers.readIt')}
    </Button>
  );
}
