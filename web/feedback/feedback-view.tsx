import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Rating } from '../../lib/api-contract/feedback-reasons.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { Details } from '../parts/details.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import { useNames } from '../people/names.ts';
import { PageHead } from '../shell/page-head.tsx';
import { type Feedback, useFeedback, useSaveFeedback } from './queries.ts';

const CHOICES = ['all', 'up', 'down'] as const;

/** What people say about answers, for administrators. */
export function FeedbackView() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<(typeof CHOICES)[number]>('all');
  const list = useFeedback(chosen === 'all' ? undefined : chosen);
  const save = useSaveFeedback();
  const choose = (name: string) => setChosen(CHOICES.find((each) => each === name) ?? 'all');
  return (
    <>
      <PageHead
        title={t('feedback.view.title')}
        note={t('feedback.view.note')}
        actions={
          <Button
            icon="download"
            title={t('feedback.view.exportNote')}
            disabled={save.isPending}
            onClick={() => save.mutate()}
          >
            {t('feedback.view.export')}
          </Button>
        }
      />
      <Problem error={save.error} />
      <div className="mb-4">
        <Choice
          label={t('feedback.view.rating')}
          value={chosen}
          options={CHOICES.map((each) => [each, t(`feedback.view.${each}`)])}
          onChange={choose}
        />
      </div>
      <LoadedRows
        label={t('feedback.view.title')}
        query={list}
        rows={4}
        rowClass="h-24"
        empty={
          !list.hasNextPage && (
            <EmptyState icon="thumbUp" title={t('feedback.view.none')} next={t('feedback.view.noneNext')} />
          )
        }
      >
        {(given) => <FeedbackRow key={given.id} given={given} />}
      </LoadedRows>
      <MoreButton list={list} />
    </>
  );
}

function FeedbackRow({ given }: { given: Feedback }) {
  const { t, i18n } = useTranslation();
  const names = useNames();
  const { rating, reasons, comment, personId, personName = names.get(personId), model, updatedAt } = given;
  return (
    <Row isStill>
      <div className="min-w-0 flex-1 space-y-2 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <Badge look={rating === 'up' ? 'good' : 'warn'} icon={rating === 'up' ? 'thumbUp' : 'thumbDown'}>
            {t(`feedback.view.${rating satisfies Rating}`)}
          </Badge>
          {reasons.map((reason) => (
            <Badge key={reason}>{t(`feedback.reasons.${reason}`)}</Badge>
          ))}
        </p>
        {comment !== '' && (
          <p data-user-content dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {comment}
          </p>
        )}
        <p className="text-xs text-muted">
          <span data-user-content title={personId}>
            {personName ?? personId}
          </span>{' '}
          · {formatTime(updatedAt, i18n.language)}
          {model !== null && (
            <>
              {' '}
              · <span data-user-content>{model}</span>
            </>
          )}
        </p>
        {given.shared ? (
          <Rated shared={given.shared} />
        ) : (
          <p className="text-muted">{t('feedback.view.private')}</p>
        )}
      </div>
    </Row>
  );
}

function Rated({ shared: { question, answer, passages } }: { shared: NonNullable<Feedback['shared']> }) {
  const { t } = useTranslation();
  return (
    <>
      <p data-user-content dir="auto" className="font-medium wrap-anywhere whitespace-pre-wrap">
        {question}
      </p>
      {(answer !== '' || passages.length > 0) && (
        <Details name={t('feedback.view.details', { count: passages.length })}>
          <div data-user-content className="space-y-3">
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {answer}
            </p>
            {passages.map(({ workspaceId, path, startLine, quote }) => (
              <figure
                key={`${workspaceId} ${path} ${startLine} ${quote}`}
                className="border-l-2 border-line pl-3"
              >
                <figcaption className="text-xs wrap-anywhere text-muted">
                  {path}:{startLine}
                </figcaption>
                <blockquote className="wrap-anywhere">{quote}</blockquote>
              </figure>
            ))}
          </div>
        </Details>
      )}
    </>
  );
}
