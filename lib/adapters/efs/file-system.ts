import { DescribeFileSystemsCommand, type EFSClient } from '@aws-sdk/client-efs';

export interface FileSystemState {
  id: string;
  /** `available`, or the state during a change of the file system. */
  state: string;
  /** As last measured by EFS, which happens about once per hour. */
  sizeBytes: number;
  /** `elastic`, `bursting` or `provisioned`. */
  throughputMode: string;
}

/** Describes the mounted file system. Throws the SDK's FileSystemNotFound. */
export async function describeFileSystem(client: EFSClient, fileSystemId: string): Promise<FileSystemState> {
  const { FileSystems } = await client.send(new DescribeFileSystemsCommand({ FileSystemId: fileSystemId }));
  const found = FileSystems?.[0];
  if (found === undefined) throw new Error(`EFS has no file system ${fileSystemId}. Check the ID.`);
  return {
    id: fileSystemId,
    state: found.LifeCycleState ?? 'unknown',
    sizeBytes: found.SizeInBytes?.Value ?? 0,
    throughputMode: found.ThroughputMode ?? 'unknown',
  };
}
