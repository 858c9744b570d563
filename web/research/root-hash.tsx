import { useTranslation } from 'react-i18next';
import { CopyButton } from '../parts/copy-button.tsx';
import { newestProof } from './newest-proof.ts';
import type { Research } from './research.ts';

/** After the export of a proof: what its receiver needs from someone else than the file. */
export function RootHash({ research }: { research: Research }) {
  const { t } = useTranslation();
  const proof = newestProof(research);
  if (proof === undefined) return null;
  const { rootHash } = proof;
  return (
    <section aria-labelledby="root-hash" className="rounded-lg border border-line bg-surface p-4 text-sm">
      <h2 id="root-hash" className="font-medium">
        {t('research.rootHash')}
      </h2>
      <div className="flex items-center gap-2">
        <code className="min-w-0 break-all">{rootHash}</code>
        <CopyButton text={rootHash} isBare />
      </div>
      <p className="text-muted">{t('research.rootHashNote')}</p>
      <code className="mt-1 block break-all">{`wrs verify-report FILE.zip --root-hash ${rootHash}`}</code>
    </section>
  );
}
