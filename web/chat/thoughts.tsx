import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';

interface Props {
  text: string;
  isThinking: boolean;
}

/** A model's reasoning before its answer, collapsed because it isn't part of the answer. */
export function Thoughts({ text, isThinking }: Props) {
  const { t } = useTranslation();
  if (text.trim() === '') return null;
  return (
    <Details name={t(isThinking ? 'chat.thinking' : 'chat.thoughts')}>
      <p data-user-content className="border-l-2 border-line pl-3 break-words whitespace-pre-wrap text-muted">
        {text.trim()}
      </p>
    </Details>
  );
}

/** Explains why nothing has arrived yet from a model on the person's own hardware. */
export function Waiting({ tokens }: { tokens: number | undefined }) {
  const { t, i18n } = useTranslation();
  if (tokens === undefined) return null;
  const shown = tokens.toLocaleString(i18n.language);
  return <p className="text-sm text-muted">{t('chat.waiting', { tokens: shown })}</p>;
}
