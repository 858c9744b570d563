/** How a file is shown, by its name alone: what is in it is looked at when it is read. */
export type FileKind = 'text' | 'markdown' | 'table' | 'image' | 'other';

const IMAGES = /\.(png|jpe?g|gif|webp|bmp|avif)$/i;
const OTHERS =
  /\.(pdf|docx?|pptx?|xlsx?|od[tps]|epub|zip|gz|tar|7z|parquet|tiff?|mp[34]|wav|ogg|bin|exe|so|whl)$/i;

export function kindOf(path: string): FileKind {
  if (IMAGES.test(path)) return 'image';
  if (/\.(md|markdown)$/i.test(path)) return 'markdown';
  if (/\.(csv|tsv)$/i.test(path)) return 'table';
  return OTHERS.test(path) ? 'other' : 'text';
}
