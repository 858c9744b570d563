import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  FEEDBACK_REASONS,
  type FeedbackReason,
  MAX_COMMENT,
  type Rating,
} from '../../lib/api-contract/feedback-reasons.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CheckField, TextArea } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import {
  type AnswerIds,
  type OwnFeedback,
  useGiveFeedback,
  useOwnFeedback,
  useWithdrawFeedback,
} from './queries.ts';

const ICONS = { up: 'thumbUp', down: 'thumbDown' } as const;

/** The two ratings of an answer, each with a dialog for reasons. Absent until one's own feedback can be read. */
export function RateAnswer({ conversationId, messageId }: AnswerIds) {
  const { t } = useTranslation();
  const { data } = useOwnFeedback(conversationId);
  const [rating, setRating] = useState<Rating>();
  if (data === undefined) return null;
  const own = data.find((each) => each.messageId === messageId);
  return (
    <span className="inline-flex items-center">
      {(['up', 'down'] as const).map((each) => (
        <IconButton
          key={each}
          icon={ICONS[each]}
          label={t(`feedback.rate.${each}`)}
          aria-haspopup="dialog"
          aria-pressed={own?.rating === each}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => setRating(each)}
        />
      ))}
      {rating && (
        <RatingDialog
          key={rating}
          ids={{ conversationId, messageId }}
          rating={rating}
          own={own}
          onClose={() => setRating(undefined)}
        />
      )}
    </span>
  );
}

interface DialogProps {
  ids: AnswerIds;
  rating: Rating;
  own: OwnFeedback | undefined;
  onClose: () => void;
}

function RatingDialog({ ids, rating, own, onClose }: DialogProps) {
  const { t } = useTranslation();
  const [reasons, setReasons] = useState(own?.rating === rating ? own.reasons : []);
  const [comment, setComment] = useState(own?.comment ?? '');
  const give = useGiveFeedback(ids);
  const withdraw = useWithdrawFeedback(ids);
  const toggle = (reason: FeedbackReason, isOn: boolean) =>
    setReasons(isOn ? [...reasons, reason] : reasons.filter((each) => each !== reason));
  return (
    <FormDialog
      title={t(`feedback.title.${rating}`)}
      action={t('feedback.send')}
      sending={{ error: give.error ?? withdraw.error, isPending: give.isPending || withdraw.isPending }}
      onSend={() => give.mutate({ rating, reasons, comment }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="mb-1 text-sm text-muted">{t('feedback.why')}</legend>
        {FEEDBACK_REASONS[rating].map((reason) => (
          <CheckField
            key={reason}
            label={t(`feedback.reasons.${reason}`)}
            checked={reasons.includes(reason)}
            onChange={(isOn) => toggle(reason, isOn)}
          />
        ))}
      </fieldset>
      <TextArea
        label={t('feedback.comment')}
        rows={3}
        dir="auto"
        maxLength={MAX_COMMENT}
        value={comment}
        onChange={setComment}
      />
      <p className="text-sm text-muted">{t('feedback.seen')}</p>
      {own && (
        <Button
          look="quiet"
          icon="trash"
          className="-ml-2"
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate(undefined, { onSuccess: onClose })}
        >
          {t('feedback.withdraw')}
        </Button>
      )}
    </FormDialog>
  );
}
