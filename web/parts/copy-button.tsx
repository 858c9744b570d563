import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './button.tsx';

interface Props {
  text: string;
  /** Returns the text with formatting, for programs that support it. */
  html?: () => string;
  /** True to show only the icon. */
  isBare?: boolean;
  look?: 'plain' | 'quiet';
}

/**
 * A copy button. Absent if the browser doesn't let pages copy (over http from another host); people can still
 * select the text.
 */
export function CopyButton({ text, html, isBare = false, look = 'plain' }: Props) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  const copy = () =>
    write(text, html?.()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const icon = isCopied ? 'check' : 'copy';
  return (
    <>
      {isBare ? (
        <IconButton icon={icon} label={t('parts.copy')} onClick={() => void copy()} />
      ) : (
        <Button
          look={look}
          icon={icon}
          className={look === 'plain' ? 'min-h-10 shrink-0' : ''}
          onClick={() => void copy()}
        >
          {t('parts.copy')}
        </Button>
      )}
      <span role="status" className="sr-only">
        {isCopied && t('parts.copied')}
      </span>
    </>
  );
}

function write(text: string, html: string | undefined): Promise<void> {
  if (html === undefined || typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(text);
  const item = new ClipboardItem({
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html], { type: 'text/html' }),
  });
  return navigator.clipboard.write([item]);
}
