import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** Absent where the browser lets no page copy: over http from another machine. The text can be marked there. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <Button icon={isCopied ? 'check' : 'copy'} className="min-h-10 shrink-0" onClick={() => void copy()}>
        {t('parts.copy')}
      </Button>
      <span role="status" className="sr-only">
        {isCopied && t('parts.copied')}
      </span>
    </>
  );
}
