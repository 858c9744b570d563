import type { UIMessage } from 'ai';
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RememberMessage } from '../memories/remember-message.tsx';
import { UsedFacts } from '../memories/used-facts.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { pressedKey } from '../parts/pressed-key.ts';
import { isSendKey } from '../parts/send-key.ts';
import { filterTexts } from '../search/filter-choice.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AttachedFiles } from './attached-files.tsx';
import { CitationList } from './citations.tsx';
import { CitingMarkdown } from './citing-markdown.tsx';
import { GivenPassages } from './given-passages.tsx';
import { cutOf, endingOf, type Part, readUncited, viewOfMessage } from './message-view.ts';
import { Notices } from './notices.tsx';
import { filterOf, pathsOf } from './scope.ts';
import { Thoughts, Waiting } from './thoughts.tsx';
import { useMarkedCitations } from './use-lost.ts';
import { Versions } from './versions.tsx';

interface Props {
  workspaceId: string;
  conversationId: string;
  message: UIMessage;
  /** The question that the answer belongs to. */
  question: UIMessage | undefined;
  isLast: boolean;
  isBusy: boolean;
  /** True if the answer failed; the reason is shown below the answer. */
  hasFailed: boolean;
  /** True for someone else's conversation, or a bot's. */
  isReadOnly: boolean;
  onAgain: () => void;
  /** Lets the model continue an incomplete answer. */
  onContinue: () => void;
  onEdit: (text: string) => void;
  /** The IDs of the alternatives to this message, itself included; undefined if there are none. */
  versions: readonly string[] | undefined;
  onChoose: (messageId: string) => void;
}

/** Rendered again only when its own parts or actions have changed. */
export const Message = memo(
  (props: Props) => (props.message.role === 'user' ? <Question {...props} /> : <Answer {...props} />),
  (before, after) =>
    before.message === after.message &&
    before.isLast === after.isLast &&
    before.isBusy === after.isBusy &&
    before.versions === after.versions &&
    before.hasFailed === after.hasFailed,
);

/** The look of buttons next to a question. */
const QUIET = 'opacity-60 group-hover:opacity-100 focus-visible:opacity-100';

type QuestionProps = Pick<Props, 'message' | 'isBusy' | 'isReadOnly' | 'onEdit' | 'versions' | 'onChoose'>;

export function Question(props: QuestionProps) {
  const { message, isBusy, isReadOnly, onEdit } = props;
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const { text, files } = useMemo(() => viewOfMessage(message.parts as Part[]), [message.parts]);
  if (isEditing)
    return (
      <EditQuestion
        text={text}
        onCancel={() => setEditing(false)}
        onSend={(changed) => {
          setEditing(false);
          onEdit(changed);
        }}
      />
    );
  return (
    <article aria-label={t('chat.yourQuestion')} className="group flex items-start justify-end gap-1">
      {!isReadOnly && (
        <>
          <RememberMessage text={text} className={QUIET} />
          <IconButton
            icon="edit"
            label={t('chat.edit')}
            disabled={isBusy}
            onClick={() => setEditing(true)}
            className={QUIET}
          />
        </>
      )}
      <div className="max-w-[85%]">
        <AttachedFiles files={files} />
        <AskedOf message={message} />
        <p
          data-user-content
          className="ml-auto w-fit max-w-full rounded-lg bg-accent-soft px-4 py-2.5 break-words whitespace-pre-wrap"
        >
          {text}
        </p>
        <div className="flex justify-end">
          <Versions {...props} />
        </div>
      </div>
    </article>
  );
}

/** Shows what the question was limited to: files and folders, and facts of files. */
function AskedOf({ message }: Pick<Props, 'message'>) {
  const { t, i18n } = useTranslation();
  const facts = filterTexts(filterOf(message) ?? {}, t, i18n.language).map(({ name }) => name);
  const limits = [...pathsOf(message), ...facts];
  if (limits.length === 0) return null;
  return (
    <p className="mb-1 text-right text-xs wrap-anywhere text-muted">
      {t('chat.scope.only')}: <span data-user-content>{limits.join(', ')}</span>
    </p>
  );
}

interface EditProps {
  text: string;
  onSend: (text: string) => void;
  onCancel: () => void;
}

function EditQuestion({ text, onSend, onCancel }: EditProps) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState(text);
  const isEmpty = changed.trim() === '';
  const send = () => onSend(changed.trim());
  const press = (event: KeyboardEvent) => {
    if (pressedKey(event) === 'Escape') onCancel();
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (!isEmpty) send();
  };
  return (
    <div className="rounded-lg border border-accent bg-surface p-3">
      <textarea
        aria-label={t('chat.edit')}
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it
        autoFocus
        rows={3}
        dir="auto"
        value={changed}
        onChange={({ target }) => setChanged(target.value)}
        onKeyDown={press}
        className="w-full resize-y bg-transparent outline-none"
      />
      <div className="flex justify-end gap-2 pt-2">
        <Button onClick={onCancel}>{t('parts.cancel')}</Button>
        <Button look="main" disabled={isEmpty} onClick={send}>
          {t('chat.askAgain')}
        </Button>
      </div>
    </div>
  );
}

/**
 * Returns whether the answer's connection broke. It may even be followed by another question; the service's
 * own notice appears after a reload.
 */
function useWasCut({ hasFailed, isLast }: Props, isGrowing: boolean): boolean {
  const wasCut = useRef(false);
  if (isLast || isGrowing) wasCut.current = hasFailed;
  return wasCut.current;
}

function Answer(props: Props) {
  const { workspaceId, message, question, isLast, isBusy, hasFailed } = props;
  const { t } = useTranslation();
  const shown = useRef<HTMLDivElement>(null);
  const view = useMemo(() => viewOfMessage(message.parts as Part[]), [message.parts]);
  const asked = useMemo(() => viewOfMessage((question?.parts ?? []) as Part[]).text, [question]);
  const citations = useMarkedCitations(
    workspaceId,
    view.citations,
    ({ messageId }) => messageId === message.id,
  );
  const uncited = useMemo(() => readUncited(message.metadata, view), [message.metadata, view]);
  const isGrowing = isLast && isBusy;
  const wasCut = useWasCut(props, isGrowing);
  if (hasFailed && view.text === '') return null;
  return (
    <article
      aria-label={t('chat.answer')}
      aria-busy={isGrowing}
      className={isLast ? '' : '[contain-intrinsic-size:auto_300px] [content-visibility:auto]'}
    >
      <h2 className="sr-only">{t('chat.answer')}</h2>
      <Thoughts text={view.thoughts} isThinking={isGrowing && view.text === ''} />
      {isGrowing && <Waiting tokens={view.waiting} />}
      <CitingMarkdown
        ref={shown}
        text={view.text}
        citations={citations}
        messageId={message.id}
        isGrowing={isGrowing}
        uncited={uncited}
      />
      <Notices
        notices={hasFailed ? view.notices.filter((notice) => endingOf(notice) !== 'cut') : view.notices}
      />
      {wasCut && !hasFailed && cutOf(view.notices, false) === undefined && (
        <Banner look="warn">{t('chat.notices.answer-cut')}</Banner>
      )}
      <CitationList
        citations={citations}
        messageId={message.id}
        text={isGrowing ? undefined : view.text}
        metadata={message.metadata}
        headingLevel={3}
      />
      {!isGrowing && (
        <>
          <GivenPassages messageId={message.id} metadata={message.metadata} isCiting={citations.length > 0} />
          <UsedFacts metadata={message.metadata} />
          <AnswerActions {...props} hasFailed={wasCut} question={asked} view={view} shown={shown} />
        </>
      )}
    </article>
  );
}
