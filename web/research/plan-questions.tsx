import { useTranslation } from 'react-i18next';
import { IconButton } from '../parts/button.tsx';
import { INPUT } from '../parts/field.tsx';
import * as edit from './plan-edit.ts';

interface Props {
  questions: edit.DraftQuestion[];
  onChange: (questions: edit.DraftQuestion[]) => void;
}

/**
 * The questions. A moved question keeps the focus on its button, because its row is the same element in
 * another position.
 */
export function PlanQuestions({ questions, onChange }: Props) {
  const { t } = useTranslation();
  const move = (at: number, by: -1 | 1) => {
    const focused = document.activeElement as HTMLElement | null;
    onChange(edit.move(questions, at, by));
    requestAnimationFrame(() => focused?.focus());
  };
  return (
    <ol className="space-y-2">
      {questions.map(({ key, question, answeredBy }, at) => (
        <li key={key} className="flex items-start gap-1">
          <span className="w-6 pt-2.5 text-right text-sm text-muted tabular-nums">{at + 1}</span>
          <div className="min-w-0 flex-1 px-1">
            <textarea
              aria-label={t('research.questionOf', { number: at + 1 })}
              rows={2}
              maxLength={edit.MAX_QUESTION}
              value={question}
              onChange={({ target }) => onChange(edit.rewrite(questions, at, target.value))}
              className={`${INPUT} resize-y py-2`}
            />
            {answeredBy && (
              <p data-user-content className="text-xs break-words text-muted">
                {t('research.answeredBy', { what: answeredBy })}
              </p>
            )}
          </div>
          <div className="flex flex-col sm:flex-row">
            <IconButton
              icon="up"
              label={t('research.up', { number: at + 1 })}
              disabled={at === 0}
              onClick={() => move(at, -1)}
            />
            <IconButton
              icon="down"
              label={t('research.down', { number: at + 1 })}
              disabled={at === questions.length - 1}
              onClick={() => move(at, 1)}
            />
            <IconButton
              icon="trash"
              label={t('research.remove', { number: at + 1 })}
              onClick={() => onChange(questions.toSpliced(at, 1))}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}
