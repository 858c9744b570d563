import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlobAddress } from './picture.tsx';

/**
 * Comes before the file's own text, so that it can't load anything. This page's restrictions also apply in
 * the frame.
 */
const POLICY = `<!doctype html><meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:"><meta name="color-scheme" content="only light">`;

/**
 * An HTML page in a frame without any permission: no scripts, forms, origin, or navigation out of the frame.
 * Its styles are missing, because they would be inline, so the frame shows the page's structure, not its
 * design.
 */
export function HtmlPage({ path, content }: { path: string; content: string }) {
  const { t } = useTranslation();
  const page = useMemo(() => new Blob([POLICY, content], { type: 'text/html' }), [content]);
  const address = useBlobAddress(page);
  if (address === undefined) return null;
  return (
    <iframe
      src={address}
      sandbox=""
      referrerPolicy="no-referrer"
      title={t('files.htmlOf', { path })}
      className="size-full border-0 bg-[white]"
    />
  );
}
