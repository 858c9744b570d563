import { CreateFileSystemCommand, EFSClient } from '@aws-sdk/client-efs';
import { describe, expect, it } from '@jest/globals';
import { describeFileSystem } from '../../lib/adapters/efs/file-system.ts';
import { closing, emulatorSettings } from '../support/emulator.ts';

const efs = closing(new EFSClient(emulatorSettings('MINISTACK_URL')));

describe('describeFileSystem', () => {
  it('returns the state, the size, and the throughput mode', async () => {
    const made = await efs.send(new CreateFileSystemCommand({ ThroughputMode: 'elastic' }));
    const id = made.FileSystemId ?? '';
    expect(await describeFileSystem(efs, id)).toEqual({
      id,
      state: 'available',
      sizeBytes: expect.any(Number),
      throughputMode: 'elastic',
    });
  });

  it('throws for a file system that does not exist', async () => {
    await expect(describeFileSystem(efs, 'fs-00000000000000000')).rejects.toThrow(/fs-0|exist/);
  });
});
