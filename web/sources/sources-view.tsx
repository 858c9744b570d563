import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { ConnectZotero } from './connect-zotero.tsx';
import { useSources } from './queries.ts';
import { SourceCard } from './source-card.tsx';

export function SourcesView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const isAdding = useSearch({ from: '/w/$workspaceId/sources' }).add !== undefined;
  const navigate = useNavigate({ from: '/w/$workspaceId/sources' });
  const sources = useSources(workspaceId);
  const may = useMay('member', workspaceId);
  const add = (isOn: boolean) => void navigate({ search: isOn ? { add: 'zotero' } : {}, replace: !isOn });
  const connect = may && (
    <Button look="main" icon="plus" onClick={() => add(true)}>
      {t('sources.connect')}
    </Button>
  );
  return (
    <Page>
      <BackLink to="/w/$workspaceId/files" params={{ workspaceId }}>
        {t('shell.files')}
      </BackLink>
      <PageHead title={t('sources.title')} note={t('sources.note')} actions={connect} />
      <Loaded query={sources} rows={3}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon="paper" title={t('sources.none')} next={t('sources.noneNext')} />
          ) : (
            <div className="space-y-4">
              {found.map((source) => (
                <SourceCard key={source.id} workspaceId={workspaceId} source={source} may={may} />
              ))}
            </div>
          )
        }
      </Loaded>
      {isAdding && may && <ConnectZotero workspaceId={workspaceId} onClose={() => add(false)} />}
    </Page>
  );
}
