import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { wordBesideMark } from '../../lib/api-contract/finding-words.ts';
import { SupportState } from '../chat/support.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon } from '../parts/icon.tsx';
import { blocksOf, type DraftPiece } from './draft-blocks.ts';
import {
  type CheckedSentence,
  type DraftCheck,
  detailsId,
  isOpen,
  isShown,
  supportedOf,
} from './draft-check.ts';
import { useTableLanguage } from './evidence.tsx';
import { SentenceDetails } from './sentence-details.tsx';

const FROM = '/w/$workspaceId/drafts/$runId';

/** The draft by sentence, each with its verdict next to it. */
export function DraftText({ check }: { check: DraftCheck }) {
  const { t } = useTranslation();
  const { show, sentence: opened, source } = useSearch({ from: FROM });
  const { sentences, text, counts } = check;
  const blocks = useMemo(() => {
    if (show === undefined) return blocksOf({ text, sentences, counts });
    const shown = sentences.filter((sentence) => isShown(sentence, show));
    return shown.map((sentence) => [{ start: sentence.start, end: sentence.end, sentence }]);
  }, [show, text, sentences, counts]);
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // Scrolls only for the initial URL. Later, the person is already there.
    article.current?.querySelector('[aria-expanded=true]')?.scrollIntoView({ block: 'center' });
  }, []);
  const hasSource = source !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the source next to it makes the draft narrower, and so longer
  useEffect(() => {
    article.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [hasSource]);
  if (blocks.length === 0)
    return <EmptyState icon="list" title={t('verify.noneShown')} next={t('verify.noneShownNext')} />;
  return (
    <article ref={article} aria-label={t('verify.draft')} aria-busy={isOpen(check)} className="space-y-3">
      {blocks.map((pieces) => (
        <ol
          key={pieces[0]?.start}
          className="divide-y divide-line rounded-lg border border-line bg-surface [contain-intrinsic-size:auto_120px] [content-visibility:auto]"
        >
          {pieces.map((piece) => (
            <Piece key={piece.start} {...{ piece, check, opened }} withReason={show === 'errors'} />
          ))}
        </ol>
      ))}
    </article>
  );
}

interface PieceProps {
  piece: DraftPiece;
  check: DraftCheck;
  opened: number | undefined;
  /** True for the filter for errors; each sentence then shows its error before it's opened. */
  withReason: boolean;
}

function Piece({ piece: { sentence, start, end }, check, opened, withReason }: PieceProps) {
  if (sentence === undefined)
    return <PendingRow text={check.text.slice(start, end)} isWaiting={isOpen(check)} />;
  const isOpened = sentence.n === opened;
  return (
    <li>
      {sentence.verdict === 'no_claim' ? (
        <Unclaimed sentence={sentence} />
      ) : (
        <ClaimRow {...{ sentence, isOpened }} withReason={withReason && !isOpened} />
      )}
      {isOpened && sentence.verdict !== 'no_claim' && <SentenceDetails check={check} sentence={sentence} />}
    </li>
  );
}

/** The styles of a row: the text with the verdict next to it, or below it in a narrow window. */
const ROW = 'grid grid-cols-1 gap-x-4 gap-y-1 px-4 py-2.5 text-left sm:grid-cols-[1fr_12rem]';

interface RowProps {
  sentence: CheckedSentence;
  isOpened: boolean;
  withReason: boolean;
}

/** Rendered again only when its verdict changes, or it opens, because a draft can have thousands of sentences. */
const ClaimRow = memo(({ sentence, isOpened, withReason }: RowProps) => {
  const { n, text } = sentence;
  const supported = supportedOf(sentence);
  const navigate = useNavigate({ from: FROM });
  const toggle = () =>
    void navigate({
      search: (before) => ({ ...before, sentence: isOpened ? undefined : n }),
      ...{ replace: true, resetScroll: false },
    });
  return (
    <button
      type="button"
      onClick={toggle}
      aria-expanded={isOpened}
      aria-controls={isOpened ? detailsId(n) : undefined}
      className={`${ROW} w-full hover:bg-sunken ${isOpened ? 'bg-sunken' : ''}`}
    >
      <span className="break-words">
        <span data-user-content>{text}</span>
        {withReason && <ReasonBesideMark sentence={sentence} />}
      </span>
      <span className="text-sm">{supported && <SupportState citation={supported} />}</span>
    </button>
  );
});

function ReasonBesideMark({ sentence: { findings, support = 'unjudged' } }: { sentence: CheckedSentence }) {
  const words = wordBesideMark(findings, support, useTableLanguage());
  if (words.length === 0) return null;
  return (
    <span data-user-content className="mt-0.5 block text-sm text-muted">
      {words.join(' ')}
    </span>
  );
}

function Unclaimed({ sentence: { text, findings } }: { sentence: CheckedSentence }) {
  const { t } = useTranslation();
  const isListed = findings.some(({ rule }) => rule === 'source_listed');
  return (
    <div className={`${ROW} text-muted`}>
      <span data-user-content className="break-words">
        {text}
      </span>
      <span className="inline-flex items-center gap-1 text-sm">
        <Icon name="minus" size={14} />
        {t(isListed ? 'verify.inSourceList' : 'verify.noClaim')}
      </span>
    </div>
  );
}

function PendingRow({ text, isWaiting }: { text: string; isWaiting: boolean }) {
  const { t } = useTranslation();
  return (
    <li className={`${ROW} text-muted`}>
      <span data-user-content className="break-words whitespace-pre-line">
        {text}
      </span>
      <span className="inline-flex items-center gap-1 text-sm">
        <Icon name="clock" size={14} />
        {t(isWaiting ? 'verify.waiting' : 'verify.notChecked')}
      </span>
    </li>
  );
}
