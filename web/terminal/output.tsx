import { useTranslation } from 'react-i18next';
import { TerminalText } from '../parts/terminal-text.tsx';

export function Output({ text, isError = false }: { text: string; isError?: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={isError ? 'border-l-2 border-danger pl-3' : ''}>
      {isError && <p className="font-sans text-muted">{t('terminal.errors')}</p>}
      <TerminalText text={text} />
    </div>
  );
}
