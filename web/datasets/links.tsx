import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { LoadedRows } from '../parts/loaded.tsx';
import { Problem } from '../parts/problem.tsx';
import { Row } from '../parts/rows.tsx';
import { useLink, useLinks } from './queries.ts';

/** The workspaces that the dataset is linked to, and the action to link or unlink this one. */
export function Links({ datasetId, workspaceId }: { datasetId: string; workspaceId: string }) {
  const { t } = useTranslation();
  const links = useLinks(datasetId);
  const link = useLink(datasetId);
  const may = useMay('member', workspaceId);
  const isHere = links.data?.some((each) => each.workspaceId === workspaceId);
  return (
    <Card title={t('datasets.links')}>
      <p className="mb-3 text-sm text-muted">{t('datasets.linksNote')}</p>
      <Problem error={link.error} />
      <LoadedRows query={links} rows={0} label={t('datasets.links')} empty={null}>
        {(each) => (
          <Row key={each.workspaceId}>
            <span className="min-w-0 flex-1 truncate text-sm">{each.name}</span>
            {may && (
              <Button
                disabled={link.isPending}
                onClick={() => link.mutate({ workspaceId: each.workspaceId, isLinked: false })}
              >
                {t('datasets.unlink')}
              </Button>
            )}
          </Row>
        )}
      </LoadedRows>
      {may && isHere === false && (
        <div className="mt-3">
          <Button
            look="main"
            icon="plus"
            disabled={link.isPending}
            onClick={() => link.mutate({ workspaceId, isLinked: true })}
          >
            {t('datasets.linkHere')}
          </Button>
        </div>
      )}
    </Card>
  );
}
