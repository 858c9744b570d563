import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DATASET_ACTIONS, type DatasetAction } from '../../lib/api-contract/dataset-actions.ts';
import { useMay } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CheckField } from '../parts/field.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Dataset, useDeleteDataset, useDo } from './queries.ts';

const ICONS: Record<DatasetAction, IconName> = {
  pause: 'pause',
  retry: 'play',
  cancel: 'stop',
  refresh: 'again',
};

interface Props {
  dataset: Dataset;
  onDeleted: () => void;
}

/** The actions that the dataset's state allows, and its deletion. */
export function DatasetActions({ dataset, onDeleted }: Props) {
  const { t } = useTranslation();
  const may = useMay('member');
  const work = useDo(dataset.id);
  const [isLeaving, setLeaving] = useState(false);
  if (!may) return null;
  return (
    <div className="relative flex flex-wrap items-center gap-2">
      {DATASET_ACTIONS[dataset.status].map((action) => (
        <Button
          key={action}
          icon={ICONS[action]}
          disabled={work.isPending}
          onClick={() => work.mutate(action)}
        >
          {t(`datasets.actions.${action}`)}
        </Button>
      ))}
      <Button look="quiet" icon="trash" onClick={() => setLeaving(true)}>
        {t('datasets.delete')}
      </Button>
      <Problem error={work.error} />
      {isLeaving && (
        <DeleteDataset dataset={dataset} onDeleted={onDeleted} onClose={() => setLeaving(false)} />
      )}
    </div>
  );
}

/**
 * Deletes a dataset. For an imported folder, the dialog doesn't ask about files, because they are never
 * deleted.
 */
function DeleteDataset({ dataset, onDeleted, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useDeleteDataset();
  const isLocal = dataset.source === 'local';
  const [deleteFiles, setDeleteFiles] = useState(false);
  return (
    <ConfirmDialog
      title={t('datasets.deleteTitle', { name: dataset.name })}
      note={t(isLocal ? 'datasets.deleteLocal' : 'datasets.deleteNote')}
      action={t('datasets.delete')}
      doing={remove}
      onConfirm={() => remove.mutate({ datasetId: dataset.id, deleteFiles }, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {!isLocal && (
        <CheckField label={t('datasets.deleteFiles')} checked={deleteFiles} onChange={setDeleteFiles} />
      )}
    </ConfirmDialog>
  );
}
