import type { Config } from '../config.ts';
import type { Objects } from '../ports/objects.ts';
import { objectsFolder } from './disk/layout.ts';
import { diskObjects } from './disk/objects.ts';
import { diskPresignPut } from './disk/presigned.ts';

/** The object store, on the side that the configuration names. */
export function openObjects(config: Config): Objects {
  return diskObjects(objectsFolder(config), diskPresignPut(config));
}
