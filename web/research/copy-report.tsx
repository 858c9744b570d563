import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { readExport } from './queries.ts';

/**
 * Copies a report with its sources, or its link. Everyone with access to the workspace has access to its
 * reports, so nothing has to be shared first. Absent if the browser doesn't let pages copy (over http from
 * another host).
 */
export function CopyReport({ runId }: { runId: string }) {
  const { t } = useTranslation();
  const copy = useMutation({ mutationFn: () => copyLater(readExport(runId, 'md')) });
  const link = useMutation({
    mutationFn: () => navigator.clipboard.writeText(`${location.origin}${location.pathname}`),
  });
  if (!navigator.clipboard) return null;
  return (
    <>
      <Button
        icon={copy.isSuccess ? 'check' : 'copy'}
        disabled={copy.isPending}
        onClick={() => copy.mutate()}
      >
        {t('research.copy')}
      </Button>
      <Button
        icon={link.isSuccess ? 'check' : 'copy'}
        onClick={() => link.mutate()}
        title={t('research.linkNote')}
      >
        {t('research.copyLink')}
      </Button>
      <span role="status" className="basis-full text-right text-xs text-muted empty:hidden">
        {link.isSuccess ? t('research.linkCopied') : copy.isSuccess && t('research.copied')}
      </span>
      <Problem error={copy.error ?? link.error} />
    </>
  );
}

/**
 * Copies text that isn't ready yet. Browsers allow copying only directly after a click, so the promise of the text is
 * passed.
 */
async function copyLater(text: Promise<Blob>): Promise<void> {
  const plain = text.then(async (blob) => new Blob([await blob.text()], { type: 'text/plain' }));
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await (await plain).text());
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
}
