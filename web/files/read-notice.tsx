import { Banner } from '../parts/banner.tsx';
import { kindOf } from './file-kind.ts';
import type { PreviewProps } from './preview-props.ts';
import { useLack } from './use-lack.ts';

/** Above a preview: that the file isn't in the index, or which of its contents weren't read. */
export function ReadNotice({ workspaceId, path }: PreviewProps) {
  const lack = useLack(workspaceId, path);
  const kind = kindOf(path);
  const saysItself = kind === 'other' || (kind === 'document' && !lack?.isIndexed); // NotShown gives the reason
  if (lack === undefined || saysItself) return null;
  return (
    <div className="px-4 py-2">
      <Banner look="warn">{lack.text}</Banner>
    </div>
  );
}
