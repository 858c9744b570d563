import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useMayMakeWorkspaces } from '../access/role.ts';
import { Button } from '../parts/button.tsx';
import { DocsLink } from '../parts/docs-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { useRoots } from '../workspaces/queries.ts';
import type { useDrop } from './use-drop.ts';
import { useOpenExample } from './use-open-example.ts';

interface Props {
  drop: ReturnType<typeof useDrop>;
  onUseFolder: () => void;
  onClone: () => void;
}

/** The first page without a workspace: two ways to start for callers who may create one; otherwise, whom to ask. */
export function FirstUse(props: Props) {
  const { t } = useTranslation();
  const mayMake = useMayMakeWorkspaces();
  if (!mayMake) return <NoneForYou />;
  return (
    <>
      <p className="mb-6 text-lg text-muted">{t('start.line')}</p>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <YourFiles {...props} />
        <Example />
      </div>
      <Roots />
    </>
  );
}

/** Shows which folders of the service's host can be used, and where others are allowed. */
function Roots() {
  const { t, i18n } = useTranslation();
  const roots = useRoots();
  if (roots === undefined) return <p className="mt-4 min-h-5" />;
  return (
    <p className="mt-4 min-h-5 text-sm break-words text-muted">
      {t('start.roots', { roots: new Intl.ListFormat(i18n.language).format(roots) })}{' '}
      <DocsLink page="reference/configuration">{t('start.rootsPage')}</DocsLink>
    </p>
  );
}

function NoneForYou() {
  const { t } = useTranslation();
  const isMember = useMay('member');
  return (
    <EmptyState
      icon="people"
      title={t('start.noneTitle')}
      next={t(isMember ? 'start.noneBound' : 'start.noneNote')}
    />
  );
}

function YourFiles({ drop, onUseFolder, onClone }: Props) {
  const { t } = useTranslation();
  const chosen = useRef<HTMLInputElement>(null);
  const start = (files: FileList | null) => {
    const dropped = [...(files ?? [])].map((file) => ({ path: file.name, file }));
    if (dropped.length > 0) drop.mutate(dropped);
  };
  return (
    <Way icon="upload" title={t('start.files')} note={t('start.filesNote')} isZone>
      <input
        ref={chosen}
        type="file"
        multiple
        aria-label={t('start.choose')}
        className="hidden"
        onChange={({ target }) => start(target.files)}
      />
      <Button look="main" icon="upload" disabled={drop.isPending} onClick={() => chosen.current?.click()}>
        {t(drop.isPending ? 'start.creating' : 'start.choose')}
      </Button>
      <Button icon="files" onClick={onUseFolder}>
        {t('start.folder')}
      </Button>
      <Button icon="branch" onClick={onClone}>
        {t('workspaces.clone')}
      </Button>
    </Way>
  );
}

function Example() {
  const { t } = useTranslation();
  const open = useOpenExample();
  return (
    <Way icon="paper" title={t('start.example')} note={t('start.exampleNote')}>
      <Button icon="right" disabled={open.isPending} onClick={() => open.mutate()}>
        {t(open.isPending ? 'start.opening' : 'start.open')}
      </Button>
      <Problem error={open.error} />
    </Way>
  );
}

interface WayProps {
  icon: IconName;
  title: string;
  note: string;
  isZone?: boolean;
  /** The buttons that start something. */
  children: ReactNode;
}

function Way({ icon, title, note, isZone = false, children }: WayProps) {
  return (
    <section
      className={`flex flex-col rounded-lg border bg-surface p-5 sm:p-6 ${isZone ? 'border-dashed border-accent' : 'border-line'}`}
    >
      <span className="mb-4 self-start rounded-lg bg-accent-soft p-2.5 text-accent">
        <Icon name={icon} size={22} />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1.5 mb-5 flex-1 text-sm text-muted">{note}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  );
}
