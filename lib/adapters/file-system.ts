import type { Config } from '../config.ts';
import type { FileSystemState } from './efs/file-system.ts';

/** What the cloud says of the mounted file system; undefined on one machine. */
export function openFileSystem({ aws }: Config): (() => Promise<FileSystemState>) | undefined {
  const id = aws?.fileSystemId;
  if (id === undefined) return undefined;
  return async () => {
    const [{ efsClient }, { describeFileSystem }] = await Promise.all([
      import('./efs/client.ts'),
      import('./efs/file-system.ts'),
    ]);
    return describeFileSystem(efsClient(), id);
  };
}
