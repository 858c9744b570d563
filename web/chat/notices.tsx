import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { RemedyContext } from '../parts/remedy.ts';
import { ServiceText } from '../parts/service-text.tsx';
import { isRunning, syncQuery, useStartSync } from '../workspaces/queries.ts';
import { endingOf, keywordReason, lookOf, type Notice } from './message-view.ts';

/** Notices with a fixed text. */
const SAID = [
  'context-shortened',
  'context-summarized',
  'index-building',
  'index-empty',
  'no-progress',
  'no-tool-calls',
  'nothing-in-filter',
  'nothing-near',
] as const;

/**
 * Notices with files, numbers, or one of several reasons, shown in the service's words under a label of the
 * console.
 */
const ABOUT = [
  'answer-cut',
  'attachment-cut',
  'attachment-empty',
  'attachment-unseen',
  'budget-near',
  'file-not-indexed',
  'mcp-server',
  'passages-left-out',
  'prompt-cut',
  'search-by-words',
  'web-pages-not-saved',
  'web-search-failed',
  'web-searched',
] as const;

export function Notices({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null;
  return (
    <div className="mt-4 space-y-2">
      {notices.map((notice) => (
        <OneNotice key={`${notice.code} ${notice.text}`} notice={notice} />
      ))}
    </div>
  );
}

function OneNotice({ notice }: { notice: Notice }) {
  const remedy = useContext(RemedyContext)(notice.cause);
  if (notice.code === 'search-by-words') return <ByWords notice={notice} />;
  return (
    <Banner look={lookOf(notice)}>
      <Said notice={notice} /> {remedy}
    </Banner>
  );
}

/**
 * The notice of an answer by keyword search. If the index still has no vectors, that is the reason, and the
 * notice says how to change it.
 */
function ByWords({ notice }: { notice: Notice }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { data: state } = useQuery(syncQuery(workspaceId));
  const start = useStartSync(workspaceId);
  const mayIndex = useMay('member', workspaceId);
  const reason = keywordReason(notice);
  if (state === undefined || state.embedding !== null)
    return <Banner>{reason ? t(`search.keywordOnly.${reason}`) : <Said notice={notice} />}</Banner>;
  const action = mayIndex && (
    <Button icon="again" disabled={start.isPending || isRunning(state)} onClick={() => start.mutate()}>
      {t('workspaces.sync')}
    </Button>
  );
  return <Banner action={action}>{t('search.keywordOnly.other-index')}</Banner>;
}

interface SaidProps {
  notice: Notice;
  /** The label of a notice whose text is the service's. */
  label?: string;
}

export function Said({ notice, label }: SaidProps) {
  const { t } = useTranslation();
  const { code, text } = notice;
  const ending = endingOf(notice);
  if (ending !== undefined && ending !== 'cut') return t(`chat.notices.${ending}`);
  const known = SAID.find((each) => each === code);
  if (known !== undefined) return t(`chat.notices.${known}`);
  const about = ABOUT.find((each) => each === code);
  return <ServiceText text={text} label={about ? t(`chat.notices.${about}`) : label} />;
}
