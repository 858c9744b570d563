import type { Config } from '../config.ts';
import type { Objects } from '../ports/objects.ts';

/** Opens the object store that the configuration names. */
export async function openObjects(config: Config): Promise<Objects> {
  if (config.aws === undefined) {
    const [{ objectsFolder }, { diskObjects }, { diskPresignPut }] = await Promise.all([
      import('../adapters/disk/layout.ts'),
      import('../adapters/disk/objects.ts'),
      import('../adapters/disk/presigned.ts'),
    ]);
    return diskObjects(objectsFolder(config), diskPresignPut(config));
  }
  const [{ s3Client }, { s3Objects }] = await Promise.all([
    import('../adapters/s3/client.ts'),
    import('../adapters/s3/objects.ts'),
  ]);
  return s3Objects(s3Client(), config.aws.bucketName);
}
