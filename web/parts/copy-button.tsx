import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';

/**
 * `isBare`: its sign alone. Absent where the browser lets no page copy: over http from another machine. The text can be marked
 * there.
 */
export function CopyButton({ text, isBare = false }: { text: string; isBare?: boolean }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const icon = isCopied ? 'check' : 'copy';
  return (
    <>
      {isBare ? (
        <IconButton icon={icon} label={t('parts.copy')} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} className="min-h-10 shrink-0" onClick={() => void copy()}>
          {t('parts.copy')}
        </Button>
      )}
      <span role="status" className="sr-only">
        {isCopied && t('parts.copied')}
      </span>
    </>
  );
}
