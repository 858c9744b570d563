import { Dialog } from '../parts/dialog.tsx';
import { Tree } from './tree.tsx';

interface Props {
  workspaceId: string;
  title: string;
  /** Returns whether a path can be chosen; by default, all can. */
  shows?: ((path: string) => boolean) | undefined;
  onChoose: (path: string) => void;
  onClose: () => void;
}

/** Asks for one file of the workspace. */
export function ChooseFile({ workspaceId, title, shows, onChoose, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="h-[min(26rem,60dvh)]">
        <Tree
          workspaceId={workspaceId}
          selected={undefined}
          shows={shows}
          onSelect={(path) => {
            onChoose(path);
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}
