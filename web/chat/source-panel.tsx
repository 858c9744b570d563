import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FilePreview } from '../files/file-preview.tsx';
import { placeOf } from '../files/place.ts';
import { Banner } from '../parts/banner.tsx';
import { IconButton } from '../parts/button.tsx';
import { Place } from './citations.tsx';
import type { Citation } from './message-view.ts';

/** The file that a citation names, at its lines, with the quote marked. Beside the answer, or over it where that is narrow. */
export function SourcePanel({ workspaceId, citation }: { workspaceId: string; citation: Citation }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { path, startLine, endLine, quote, state, place } = citation;
  const page = place?.kind === 'page' ? Number(place.at) : undefined;
  const mark = useMemo(
    () => ({ from: startLine, to: endLine, quote, ...(page !== undefined && { page }) }),
    [startLine, endLine, quote, page],
  );
  const close = () => void navigate({ to: '.', search: withoutSource, resetScroll: false });
  return (
    <section
      aria-label={t('chat.source')}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      className="fixed inset-0 z-30 flex flex-col bg-surface lg:static lg:z-auto lg:w-[44%] lg:max-w-2xl lg:border-l lg:border-line"
    >
      <header className="flex items-start gap-2 border-b border-line px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="truncate text-sm font-semibold outline-none">
            {path}
          </h2>
          <p className="flex gap-3 text-xs text-muted">
            <Place citation={citation} />
            <Link
              to="/w/$workspaceId/files"
              params={{ workspaceId }}
              search={placeOf({ path, startLine, endLine, page, text: quote })}
              className="text-accent underline"
            >
              {t('chat.openFile')}
            </Link>
          </p>
        </div>
        <IconButton icon="close" label={t('chat.closeSource')} onClick={close} />
      </header>
      {state !== 'verified' && (
        <div className="px-4 pt-3">
          <Banner look={state === 'unverified' ? 'danger' : 'warn'}>{t(`chat.about.${state}`)}</Banner>
        </div>
      )}
      <div className="min-h-0 flex-1">
        <FilePreview workspaceId={workspaceId} path={path} mark={mark} />
      </div>
    </section>
  );
}

/** Keeps the rest of the URL. */
function withoutSource(before: object): object {
  return { ...before, source: undefined };
}
