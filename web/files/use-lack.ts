import { useTranslation } from 'react-i18next';
import { useListedFiles } from '../workspaces/queries.ts';
import { useWhyListed } from '../workspaces/why-listed.ts';

interface Lack {
  isIndexed: boolean;
  text: string;
}

/**
 * Returns what questions about the file can't take into account. Undefined if that is nothing, or isn't known
 * yet.
 */
export function useLack(workspaceId: string, path: string): Lack | undefined {
  const { t } = useTranslation();
  const whyListed = useWhyListed();
  const [failed, skipped] = [useListedFiles(workspaceId, 'failed'), useListedFiles(workspaceId, 'skipped')];
  const partial = useListedFiles(workspaceId, 'partial');
  const listed = [failed, skipped, partial].flatMap(({ data = [] }) => data);
  const file = listed.find((each) => each.path === path);
  if (file === undefined) return undefined;
  const why = whyListed(file);
  const isIndexed = file.state === 'partial';
  return { isIndexed, text: isIndexed ? why : t('files.notReadableNext', { why }) };
}
