import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { ConnectSource } from './connect-source.tsx';
import { type SourceKind, useSources } from './queries.ts';
import { SourceCard } from './source-card.tsx';

const OTHERS = [
  { kind: 'webdav', icon: 'server' },
  { kind: 's3', icon: 'dataset' },
] as const;

export function SourcesView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const { add: adding } = useSearch({ from: '/w/$workspaceId/sources' });
  const navigate = useNavigate({ from: '/w/$workspaceId/sources' });
  const sources = useSources(workspaceId);
  const may = useMay('member', workspaceId);
  const add = (kind: SourceKind | undefined) =>
    void navigate({ search: kind === undefined ? {} : { add: kind }, replace: kind === undefined });
  const others = OTHERS.map(({ kind, icon }) => ({
    ...{ icon, label: t(`sources.connect.${kind}`), onSelect: () => add(kind) },
  }));
  const connect = may && (
    <>
      <Button look="main" icon="plus" onClick={() => add('zotero')}>
        {t('sources.connect.zotero')}
      </Button>
      <Menu label={t('sources.others')} icon="plug" items={others} />
    </>
  );
  const kind = (['zotero', 'webdav', 's3'] as const).find((known) => known === adding);
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
      {kind && may && (
        <ConnectSource key={kind} workspaceId={workspaceId} kind={kind} onClose={() => add(undefined)} />
      )}
    </Page>
  );
}
