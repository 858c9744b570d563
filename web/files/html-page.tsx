import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlobAddress } from './picture.tsx';

/** Put before the file's own text: it may load nothing. What this page forbids is forbidden in the frame as well. */
const POLICY = `<!doctype html><meta http-equiv="content-security-policy" content="default-src 'none'; img-src data:"><meta name="color-scheme" content="only light">`;

/**
 * A page of HTML in a frame without any right: no scripts, no forms, no origin, no way out of the frame. It is without its styles,
 * which would be inline. So it shows how a page is built, not how it looks.
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
