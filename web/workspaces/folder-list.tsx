import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { type Folder, type Folders, useFolders } from './queries.ts';

interface Props {
  /** The open folder; empty for the roots. */
  place: string;
  /** Called with a folder that a person opens, and with its parent. */
  onOpen: (place: string, folder: Folder | undefined) => void;
}

/** The folders of the service's host from which a person chooses one: opening a folder chooses it. */
export function FolderList({ place, onOpen }: Props) {
  const { data, error } = useFolders(place);
  const heading = useHeadingFocus(data === undefined ? undefined : (data.folder?.path ?? ''));
  if (error) return <Problem error={error} />;
  return (
    <section aria-labelledby={heading.id} aria-busy={data === undefined}>
      <Place data={data} heading={heading} onUp={() => onOpen(data?.parent ?? '', undefined)} />
      <div className="mt-1.5 h-52 overflow-y-auto rounded-md border border-line">
        {data && (
          <Entries data={data} headingId={heading.id} onOpen={(folder) => onOpen(folder.path, folder)} />
        )}
      </div>
      <p role="status" className="mt-1.5 min-h-4 text-xs text-muted">
        {data && <Count data={data} />}
      </p>
    </section>
  );
}

/**
 * The button of the opened folder is gone, so the name of the folder gets the focus, and screen readers read
 * it.
 */
function useHeadingFocus(path: string | undefined) {
  const id = useId();
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (path === undefined || shown.current === path) return;
    const isFirst = shown.current === undefined;
    shown.current = path;
    if (!isFirst) ref.current?.focus();
  }, [path]);
  return { id, ref };
}

interface PlaceProps {
  data: Folders | undefined;
  heading: ReturnType<typeof useHeadingFocus>;
  onUp: () => void;
}

function Place({ data, heading, onUp }: PlaceProps) {
  const { t } = useTranslation();
  const folder = data?.folder ?? null;
  return (
    <div className="flex min-h-9 items-center justify-between gap-3">
      <h3 id={heading.id} ref={heading.ref} tabIndex={-1} className="min-w-0 text-sm font-medium break-all">
        {folder === null ? t('folders.roots') : t('folders.label', { place: folder.path })}
      </h3>
      {folder !== null && (
        <Button icon="up" onClick={onUp}>
          {t(data?.parent ? 'folders.up' : 'folders.allRoots')}
        </Button>
      )}
    </div>
  );
}

interface EntriesProps {
  data: Folders;
  headingId: string;
  onOpen: (folder: Folder) => void;
}

function Entries({ data: { folder, folders }, headingId, onOpen }: EntriesProps) {
  const { t } = useTranslation();
  const isTaken = folder?.state === 'workspace' || folder?.state === 'inside';
  if (folders.length === 0) return <Note>{t(isTaken ? 'folders.noneInside' : 'folders.none')}</Note>;
  return (
    <ul aria-labelledby={headingId} className="divide-y divide-line">
      {folders.map((each) => (
        <li key={each.path}>
          <button
            type="button"
            onClick={() => onOpen(each)}
            className="flex min-h-10 w-full items-center gap-2.5 px-3 py-1 text-left text-sm -outline-offset-2 hover:bg-sunken"
          >
            <Icon name="files" size={16} />
            <span className="min-w-0 flex-1 break-all">{each.name}</span>
            <State folder={each} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function State({ folder: { state } }: { folder: Folder }) {
  const { t } = useTranslation();
  if (state !== 'workspace' && state !== 'around') return null;
  return <span className="shrink-0 text-xs text-muted">{t(`folders.${state}`)}</span>;
}

function Note({ children }: { children: ReactNode }) {
  return <p className="p-3 text-sm text-muted">{children}</p>;
}

function Count({ data: { folders, isComplete } }: { data: Folders }) {
  const { t } = useTranslation();
  const count = t('folders.count', { count: folders.length });
  return isComplete ? count : `${count}. ${t('folders.partial')}`;
}
