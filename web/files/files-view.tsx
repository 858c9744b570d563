import { useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../access/role.ts';
import { useFileDrop } from '../parts/use-file-drop.ts';
import { FilesPane } from './files-pane.tsx';
import { OpenFile } from './open-file.tsx';
import { readDropped } from './uploads/read-dropped.ts';
import { useUploads } from './uploads/use-uploads.ts';

export function FilesView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return <Files key={workspaceId} workspaceId={workspaceId} />;
}

function Files({ workspaceId }: { workspaceId: string }) {
  const { path } = useSearch({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const uploads = useUploads(workspaceId);
  const add = (transfer: DataTransfer) => void readDropped(transfer).then(uploads.start);
  const isOver = useFileDrop(mayWrite ? add : undefined);
  return (
    <section
      aria-labelledby="files-title"
      className={`flex h-full ${isOver ? 'outline-2 -outline-offset-4 outline-accent outline-dashed' : ''}`}
    >
      <div
        className={`w-full flex-col border-line p-4 pb-0 md:flex md:w-96 md:shrink-0 md:border-r ${path ? 'hidden' : 'flex'}`}
      >
        <FilesPane path={path} uploads={uploads} />
      </div>
      <OpenFile workspaceId={workspaceId} path={path} />
    </section>
  );
}
