import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hasLines } from '../../lib/api-contract/file-kinds.ts';
import { writeNote } from '../../lib/api-contract/note-sources.ts';
import { type ListedSource, withSourceList } from '../../lib/api-contract/source-list.ts';
import { useMay } from '../access/role.ts';
import { RateAnswer } from '../feedback/rate-answer.tsx';
import { useSaveNote } from '../notes/queries.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { changeFormDraft } from '../parts/draft.ts';
import { asSeparateSources } from './cited-sentence.ts';
import { CopyCited } from './copy-cited.tsx';
import { type Citation, canContinue, cutOf, type MessageView } from './message-view.ts';
import { KeptNote } from './selection-menu.tsx';
import { useStateWords } from './support.tsx';
import { Versions, type VersionsProps } from './versions.tsx';

/** Maximum characters of note titles and report questions. */
const MAX_TITLE = 500;
const MAX_QUESTION = 2_000;

interface Props extends VersionsProps {
  workspaceId: string;
  conversationId: string;
  /** The question of this answer. */
  question: string;
  view: MessageView;
  /** The rendered answer. */
  shown: RefObject<HTMLElement | null>;
  /** True if the answer's connection broke. */
  hasFailed: boolean;
  onAgain: () => void;
  /** True for the latest answer. */
  isLast: boolean;
  /** Lets the model continue an incomplete answer. */
  onContinue: () => void;
}

/**
 * Actions below an answer: save it, copy it with its sources, regenerate it, or start a report on its
 * question.
 */
export function AnswerActions(props: Props) {
  const { workspaceId, question, view, shown, isBusy, isReadOnly, isLast, onAgain, onContinue } = props;
  const { t } = useTranslation();
  const mayWrite = useMay('member', workspaceId);
  const save = useSaveNote(workspaceId, undefined);
  const sources = useSources(view.citations);
  const makeReport = useMakeReport(workspaceId, question);
  const hasText = view.text.trim() !== '';
  const title = question.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE) || t('chat.answer');
  const heading = t('chat.sources');
  const ending = useEnding(props);
  const isOpen = isLast && hasText && (props.hasFailed || canContinue(view));
  return (
    <div className="mt-2">
      <div className="-ml-2 flex flex-wrap items-center">
        <Versions {...props} />
        {!isReadOnly && isOpen && (
          <Button look="quiet" icon="right" disabled={isBusy} onClick={onContinue}>
            {t('chat.continue')}
          </Button>
        )}
        {hasText && mayWrite && (
          <Button
            look="quiet"
            icon={save.data ? 'check' : 'note'}
            title={t('chat.keepNote')}
            disabled={save.isPending || save.isSuccess}
            onClick={() =>
              save.mutate({
                title,
                content: writeNote(asSeparateSources(`${view.text}${ending}`, view.citations)),
              })
            }
          >
            {t('chat.keep')}
          </Button>
        )}
        {hasText && (
          <CopyButton
            look="quiet"
            text={withSourceList(`${view.text}${ending}`.trim(), sources, heading)}
            html={() => (shown.current ? htmlOfAnswer(shown.current, sources, heading) : '')}
          />
        )}
        {hasText && (
          <CopyCited workspaceId={workspaceId} text={`${view.text}${ending}`} citations={view.citations} />
        )}
        {!isReadOnly && (
          <Button look="quiet" icon="again" title={t('chat.again')} disabled={isBusy} onClick={onAgain}>
            {t('chat.regenerate')}
          </Button>
        )}
        {mayWrite && question.trim() !== '' && (
          <Button look="quiet" icon="report" title={t('chat.makeReportNote')} onClick={makeReport}>
            {t('chat.makeReport')}
          </Button>
        )}
        {hasText && !props.hasFailed && (
          <RateAnswer conversationId={props.conversationId} messageId={props.message.id} />
        )}
      </div>
      <KeptNote saving={save} className="mt-1" />
    </div>
  );
}

/** Returns the remark about an incomplete answer, for its note or copy. */
function useEnding({ view, hasFailed }: Props): string {
  const { t } = useTranslation();
  const cut = cutOf(view.notices, hasFailed);
  return cut === undefined ? '' : `\n\n*${t(`chat.notices.${cut}`)}*`;
}

/** Returns the sources in the console's words. */
function useSources(citations: readonly Citation[]): ListedSource[] {
  const { t } = useTranslation();
  const wordsOf = useStateWords();
  return useMemo(
    () =>
      citations.map((citation) => {
        const { index, path, startLine, endLine, place, quote, support, isStale } = citation;
        const part = place && t(`chat.place.${place.kind}`, { at: place.at });
        const lines =
          hasLines(path) &&
          (startLine === endLine
            ? t('chat.line', { line: startLine })
            : t('chat.lines', { from: startLine, to: endLine }));
        const states = [support && wordsOf(citation), isStale && t('chat.support.stale')];
        const remark = states.filter(Boolean).join(', ') || undefined;
        return { index, path, where: [part, lines].filter(Boolean).join(', '), quote, remark };
      }),
    [citations, t, wordsOf],
  );
}

/** Opens Research with the question in its form. The form's other fields stay. */
function useMakeReport(workspaceId: string, question: string) {
  const navigate = useNavigate();
  return () => {
    const asked = question.trim().slice(0, MAX_QUESTION);
    changeFormDraft(`new report ${workspaceId}`, { question: asked, isFromAnswer: true });
    void navigate({ to: '/w/$workspaceId/research', params: { workspaceId } });
  };
}

/** Attributes to keep when an answer is pasted into a document. */
const KEPT = ['href', 'start', 'colspan', 'rowspan', 'display', 'mathvariant', 'xmlns'];

/**
 * Returns an answer as HTML for the clipboard: the rendered text without formatting, its citations as
 * numbers, and its list of sources.
 */
function htmlOfAnswer(shown: HTMLElement, sources: readonly ListedSource[], heading: string): string {
  const copy = shown.cloneNode(true) as HTMLElement;
  for (const link of copy.querySelectorAll<HTMLElement>('[data-source]'))
    link.replaceWith(`[${link.dataset.source?.split('.').at(-1)}]`);
  for (const hidden of copy.querySelectorAll('button, svg, .sr-only, annotation, [data-label]'))
    hidden.remove();
  for (const element of copy.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (!KEPT.includes(name)) element.removeAttribute(name);
  if (sources.length > 0) copy.append(...sourceElements(sources, heading));
  return copy.innerHTML;
}

function sourceElements(sources: readonly ListedSource[], heading: string): HTMLElement[] {
  const title = element('p', element('strong', heading));
  const entries = sources.map(({ index, path, where, quote, remark }) => {
    const place = [path, where].filter(Boolean).join(', ');
    const said = quote === '' ? '' : `: “${quote.replace(/\s+/g, ' ')}”`;
    return element('p', `[${index}] ${place}${remark === undefined ? '' : ` (${remark})`}${said}`);
  });
  return [title, ...entries];
}

function element(name: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
