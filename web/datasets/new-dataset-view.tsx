import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { pastedRepositoryId } from '../../lib/api-contract/pasted.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { BackLink } from '../parts/back-link.tsx';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/choice.tsx';
import { type FormDraft, useFormDraft } from '../parts/draft.ts';
import { FactList } from '../parts/fact-list.tsx';
import { Field, SelectField, TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { formatAgo, formatBytes } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { type Hub, type RepoType, useDownload, useImportFolder, useRepoInfo } from './queries.ts';
import { patternsOf } from './states.ts';

const SOURCES = ['hub_a', 'hub_b', 'local'] as const;

interface Draft {
  source: (typeof SOURCES)[number];
  repoId: string;
  repoType: RepoType;
  revision: string;
  name: string;
  allow: string;
  ignore: string;
  localPath: string;
}

const EMPTY: Draft = {
  source: 'hub_a',
  repoId: '',
  repoType: 'dataset',
  revision: '',
  name: '',
  allow: '',
  ignore: '',
  localPath: '',
};

interface FormProps extends FormDraft<Draft> {
  onDone: (datasetId: string) => void;
}

export function NewDatasetView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const navigate = useNavigate();
  const form = useFormDraft('dataset', EMPTY);
  const { draft, change, drop } = form;
  const done = (datasetId: string) => {
    drop();
    void navigate({ to: '/w/$workspaceId/datasets/$datasetId', params: { workspaceId, datasetId } });
  };
  const SourceForm = draft.source === 'local' ? FolderForm : HubForm;
  return (
    <Page>
      <BackLink to="/w/$workspaceId/datasets" params={{ workspaceId }}>
        {t('shell.datasets')}
      </BackLink>
      <PageHead title={t('datasets.new')} />
      <Choice
        label={t('datasets.from')}
        value={draft.source}
        options={SOURCES.map((source) => [source, t(`datasets.sources.${source}`)])}
        onChange={(source) => change({ source: source as Draft['source'] })}
      />
      <SourceForm key={draft.source} {...form} onDone={done} />
    </Page>
  );
}

function FolderForm({ draft, field, onDone }: FormProps) {
  const { t } = useTranslation();
  const load = useImportFolder();
  const send = () => {
    const { localPath, name } = draft;
    load.mutate(
      { localPath: localPath.trim(), ...(name.trim() !== '' && { name: name.trim() }) },
      { onSuccess: ({ id }) => onDone(id) },
    );
  };
  return (
    <Form
      onSend={send}
      sending={load}
      isWhole={draft.localPath.trim() !== ''}
      action={t('datasets.import')}
      className="mt-5 space-y-4"
    >
      <Field label={t('datasets.folder')} hint={t('datasets.folderHint')} required {...field('localPath')} />
      <NameField field={field} />
    </Form>
  );
}

function NameField({ field }: Pick<FormProps, 'field'>) {
  const { t } = useTranslation();
  return (
    <Field label={t('datasets.name')} hint={t('datasets.nameHint')} maxLength={200} {...field('name')} />
  );
}

/** A form that first shows the hub's description of the repository, then asks what to download. */
function HubForm(form: FormProps) {
  const { t } = useTranslation();
  const { draft, change } = form;
  const { repo } = useSearch({ from: '/w/$workspaceId/datasets/new' });
  const navigate = useNavigate({ from: '/w/$workspaceId/datasets/new' });
  const hub = draft.source as Hub;
  const info = useRepoInfo(hub, repo, draft.repoType);
  const repoId = pastedRepositoryId(draft.repoId);
  const name = (named: string | undefined) => void navigate({ search: { repo: named }, replace: true });
  const types: RepoType[] = hub === 'hub_a' ? ['dataset', 'model', 'space'] : ['dataset', 'model'];
  return (
    <>
      <Form onSend={() => name(repoId)} className="mt-5 space-y-4">
        <Field
          label={t('datasets.repo')}
          hint={t('datasets.repoHint')}
          value={draft.repoId}
          reads={pastedRepositoryId}
          required
          onChange={(value) => {
            name(undefined);
            change({ repoId: value, revision: '' });
          }}
        />
        <SelectField
          label={t('datasets.repoType')}
          value={draft.repoType}
          options={types.map((type) => [type, t(`datasets.repoTypes.${type}`)])}
          onChange={(repoType) => change({ repoType: repoType as RepoType, revision: '' })}
        />
        <Button type="submit" icon="search" disabled={info.isFetching || !repoId.includes('/')}>
          {t('datasets.look')}
        </Button>
        <Problem error={info.error} />
      </Form>
      {info.data && <Wanted {...form} info={info.data} />}
    </>
  );
}

function Wanted({ info, draft, change, field, onDone }: FormProps & { info: Schemas['RepoInfo'] }) {
  const { t } = useTranslation();
  const load = useDownload();
  const [usual = ''] = ['main', 'master'].filter((name) => info.revisions.includes(name));
  return (
    <Form
      onSend={() => load.mutate(fieldsOf(info, draft), { onSuccess: ({ id }) => onDone(id) })}
      sending={load}
      action={t('datasets.download')}
      icon="download"
      className="mt-6 space-y-4"
    >
      <RepoFacts info={info} />
      <SelectField
        label={t('datasets.revision')}
        value={draft.revision || usual}
        options={[...new Set([usual, ...info.revisions])].map((each) => [each, each])}
        onChange={(revision) => change({ revision })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextArea
          label={t('datasets.allow')}
          hint={t('datasets.patternsHint')}
          rows={3}
          className="font-mono"
          {...field('allow')}
        />
        <TextArea label={t('datasets.ignore')} rows={3} className="font-mono" {...field('ignore')} />
      </div>
      <NameField field={field} />
    </Form>
  );
}

function fieldsOf({ repoId, repoType }: Schemas['RepoInfo'], draft: Draft): Schemas['CreateDataset'] {
  const allowPatterns = patternsOf(draft.allow);
  const ignorePatterns = patternsOf(draft.ignore);
  return {
    repoId,
    repoType,
    source: draft.source as Hub,
    ...(draft.revision !== '' && { revision: draft.revision }),
    ...(draft.name.trim() !== '' && { name: draft.name.trim() }),
    ...(allowPatterns && { allowPatterns }),
    ...(ignorePatterns && { ignorePatterns }),
  };
}

function RepoFacts({ info }: { info: Schemas['RepoInfo'] }) {
  const { t, i18n } = useTranslation();
  const { description, totalSize, totalFiles, lastModified, gated } = info;
  const rows: [string, string | null][] = [
    [t('datasets.repo'), info.repoId],
    [t('datasets.description'), description],
    [t('datasets.size'), totalSize === null ? null : formatBytes(totalSize, i18n.language)],
    [t('datasets.files'), totalFiles === null ? null : String(totalFiles)],
    [t('datasets.changed'), lastModified === null ? null : formatAgo(lastModified, i18n.language)],
  ];
  return (
    <>
      {gated && <Banner look="warn">{t('datasets.gated')}</Banner>}
      <FactList facts={rows.filter((row): row is [string, string] => row[1] !== null)} />
    </>
  );
}
