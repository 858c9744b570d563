import type { FileSystemState } from '../adapters/efs/file-system.ts';
import type { Config } from '../config.ts';

/** Opens what the cloud reports about the mounted file system; undefined on a single host. */
export function openFileSystem({ aws }: Config): (() => Promise<FileSystemState>) | undefined {
  const id = aws?.fileSystemId;
  if (id === undefined) return undefined;
  return async () => {
    const [{ efsClient }, { describeFileSystem }] = await Promise.all([
      import('../adapters/efs/client.ts'),
      import('../adapters/efs/file-system.ts'),
    ]);
    return describeFileSystem(efsClient(), id);
  };
}
