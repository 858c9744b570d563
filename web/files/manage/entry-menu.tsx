import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCitationCount } from '../../broken-citations/queries.ts';
import { Banner } from '../../parts/banner.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import type { MenuItem } from '../../parts/dropdown.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Menu } from '../../parts/menu.tsx';
import { isDraftName } from '../../verify/chosen-draft.ts';
import type { Entry } from '../tree-rows.ts';
import { useDeleteEntry, useMakeFile, useMakeFolder, useMoveEntry } from './queries.ts';

interface Props {
  workspaceId: string;
  /** The entry that is selected in the tree. */
  entry: Entry | undefined;
  /** Called with a path's new location, or undefined if the entry was deleted. */
  onMoved: (from: string, to: string | undefined) => void;
  onMade: (path: string) => void;
}

interface Doing {
  what: 'file' | 'folder' | 'move' | 'delete';
  /**
   * The entry that was selected when the dialog opened. The selection may change before the person answers.
   */
  entry: Entry | undefined;
}

/** Actions on the selected entry and in its folder. */
export function EntryMenu(props: Props) {
  const { t } = useTranslation();
  const { workspaceId, entry } = props;
  const navigate = useNavigate();
  const [doing, setDoing] = useState<Doing>();
  const begin = (what: Doing['what']) => () => setDoing({ what, entry });
  const openSources = (add: string | undefined) => () =>
    void navigate({ to: '/w/$workspaceId/sources', params: { workspaceId }, search: { add } });
  const check = (path: string) => () =>
    void navigate({ to: '/w/$workspaceId/drafts', params: { workspaceId }, search: { path } });
  const items: MenuItem[] = [
    ...(entry?.type === 'file' && isDraftName(entry.name)
      ? [{ icon: 'check' as const, label: t('verify.checkThis'), onSelect: check(entry.path) }]
      : []),
    { icon: 'file', label: t('files.manage.newFile'), onSelect: begin('file') },
    { icon: 'files', label: t('files.manage.newFolder'), onSelect: begin('folder') },
    { icon: 'paper', label: t('sources.connect.zotero'), onSelect: openSources('zotero') },
    { icon: 'again', label: t('sources.title'), onSelect: openSources(undefined) },
    ...(entry === undefined
      ? []
      : ([
          {
            icon: 'edit',
            label: t('files.manage.moveOf', { name: entry.name }),
            onSelect: begin('move'),
          },
          {
            icon: 'trash',
            label: t('files.manage.deleteOf', { name: entry.name }),
            danger: true,
            onSelect: begin('delete'),
          },
        ] satisfies MenuItem[])),
  ];
  return (
    <>
      <Menu label={t('files.manage.more')} items={items} />
      {doing && <DoingDialog {...props} {...doing} onClose={() => setDoing(undefined)} />}
    </>
  );
}

type DialogProps = Props & { onClose: () => void };

function DoingDialog({ what, entry, ...props }: DialogProps & Doing) {
  if (what === 'file') return <NewFile {...props} entry={entry} />;
  if (what === 'folder') return <NewFolder {...props} entry={entry} />;
  if (entry === undefined) return null;
  return what === 'move' ? <MoveEntry {...props} entry={entry} /> : <DeleteEntry {...props} entry={entry} />;
}

/** Returns the selected folder, or the folder of the selected file. */
function folderOf(entry: Entry | undefined): string {
  if (entry === undefined) return '';
  if (entry.type === 'directory') return `${entry.path}/`;
  return entry.path.slice(0, entry.path.lastIndexOf('/') + 1);
}

function NewFile({ workspaceId, entry, onMade, onClose }: DialogProps) {
  const { t } = useTranslation();
  const make = useMakeFile(workspaceId);
  const submit = (path: string) =>
    make.mutate(path, {
      onSuccess: () => {
        onMade(path);
        onClose();
      },
    });
  return (
    <PathDialog
      title={t('files.manage.newFile')}
      action={t('files.manage.make')}
      path={folderOf(entry)}
      doing={make}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

function NewFolder({ workspaceId, entry, onClose }: DialogProps) {
  const { t } = useTranslation();
  const make = useMakeFolder(workspaceId);
  return (
    <PathDialog
      title={t('files.manage.newFolder')}
      action={t('files.manage.make')}
      path={folderOf(entry)}
      doing={make}
      onSubmit={(path) => make.mutate(path, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function MoveEntry({ workspaceId, entry, onMoved, onClose }: DialogProps & { entry: Entry }) {
  const { t } = useTranslation();
  const move = useMoveEntry(workspaceId);
  const submit = (newPath: string) =>
    move.mutate(
      { oldPath: entry.path, newPath },
      {
        onSuccess: () => {
          onMoved(entry.path, newPath);
          onClose();
        },
      },
    );
  return (
    <PathDialog
      title={t('files.manage.moveOf', { name: entry.name })}
      action={t('files.manage.move')}
      path={entry.path}
      doing={move}
      onSubmit={submit}
      onClose={onClose}
    >
      <CitedNote workspaceId={workspaceId} path={entry.path} fate="broken.wouldMove" />
    </PathDialog>
  );
}

function DeleteEntry({ workspaceId, entry, onMoved, onClose }: DialogProps & { entry: Entry }) {
  const { t } = useTranslation();
  const remove = useDeleteEntry(workspaceId);
  const confirm = () =>
    remove.mutate(entry.path, {
      onSuccess: () => {
        onMoved(entry.path, undefined);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={t('files.manage.deleteTitle', { name: entry.name })}
      note={t(entry.type === 'directory' ? 'files.manage.deleteFolderNote' : 'files.manage.deleteNote')}
      action={t('files.manage.delete')}
      doing={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <CitedNote workspaceId={workspaceId} path={entry.path} fate="broken.wouldBreak" />
    </ConfirmDialog>
  );
}

interface PathDialogProps {
  title: string;
  action: string;
  path: string;
  doing: { error: Error | null; isPending: boolean };
  onSubmit: (path: string) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for a path in the workspace. */
function PathDialog({ title, action, path, doing, onSubmit, onClose, children }: PathDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(path);
  const isUnchanged = text.trim() === path || text.trim().endsWith('/');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSend={() => onSubmit(text.trim())}
      sending={doing}
      isWhole={!isUnchanged}
      action={action}
    >
      <Field
        label={t('files.manage.path')}
        hint={t('files.manage.pathHint')}
        value={text}
        required
        autoComplete="off"
        onChange={setText}
      />
      {children}
    </FormDialog>
  );
}

interface CitedNoteProps {
  workspaceId: string;
  path: string;
  /** The key of the effect on the citations. */
  fate: 'broken.wouldBreak' | 'broken.wouldMove';
}

/** Shows how many citations depend on a file or folder; nothing if none do. */
function CitedNote({ workspaceId, path, fate }: CitedNoteProps) {
  const { t } = useTranslation();
  const { citations = 0, documents = 0, isWhole = true } = useCitationCount(workspaceId, path) ?? {};
  // "1+" is plural.
  const counted = (found: number) =>
    isWhole ? { count: found, shown: `${found}` } : { count: found + 1, shown: `${found}+` };
  return (
    <div role="status" className="my-3 empty:hidden">
      {citations > 0 && (
        <Banner look="warn">
          {t('broken.cited', {
            ...counted(citations),
            documents: t('broken.documents', counted(documents)),
          })}{' '}
          {t(fate)}
        </Banner>
      )}
    </div>
  );
}
