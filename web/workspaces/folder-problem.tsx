import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAdminOfAll } from '../access/role.ts';
import { ApiError } from '../api/api-error.ts';
import { messageOfCode } from '../api/error-message.ts';
import { Banner } from '../parts/banner.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { Problem } from '../parts/problem.tsx';
import { useWorkspaceRoots } from '../settings/root-queries.ts';
import { useRoots } from './queries.ts';

/** Explains why a folder couldn't become a workspace; if it's outside the allowed folders, lists these. */
export function FolderProblem({ error }: { error: Error | null }) {
  const { t, i18n } = useTranslation();
  const roots = useRoots();
  if (!hasCode(error, 'path_outside_roots')) return <Problem error={namedAs(error, t('folders.folder'))} />;
  const named = new Intl.ListFormat(i18n.language).format(roots ?? []);
  return (
    <div role="alert">
      <Banner look="danger">
        {roots ? t('folders.outside', { roots: named }) : t('folders.outsideAsk')} <WhereToAllow />
      </Banner>
    </div>
  );
}

/** Says where another folder can be allowed: in the settings, or only by the operator. */
function WhereToAllow() {
  const { t } = useTranslation();
  const { data } = useWorkspaceRoots(useIsAdminOfAll());
  if (data?.canAdd)
    return (
      <Link to="/settings" className="underline">
        {t('folders.allowHere')}
      </Link>
    );
  return (
    <>
      {t('folders.allowThere')} <DocsLink page="reference/configuration">{t('folders.rootsPage')}</DocsLink>
    </>
  );
}

/** Replaces the service's name of the field at the start of its message with the label. */
function namedAs(error: Error | null, label: string): Error | null {
  if (!(error instanceof ApiError) || error.field !== 'path' || messageOfCode(error.code)) return error;
  return new ApiError(error.status, error.message.replace(/^path\b/, label), error);
}

export function hasCode(error: Error | null, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}
