import { useTranslation } from 'react-i18next';
import { Details } from './details.tsx';

interface Props {
  /** The service's sentence, in English. */
  text: string;
  /** The subject of the sentence, in the reader's language. */
  label?: string;
}

/** A sentence from the service, shown directly to English readers, otherwise as a detail behind a label. */
export function ServiceText({ text, label }: Props) {
  const { t, i18n } = useTranslation();
  if (i18n.language === 'en' || /\p{Script=Han}/u.test(text)) return text;
  return (
    <Details name={label ?? t('parts.errorDetails')}>
      <span lang="en">{text}</span>
    </Details>
  );
}
