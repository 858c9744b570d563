/** How a file is shown, by its name alone: the contents are checked when they are read. */
export type FileKind =
  | 'text'
  | 'markdown'
  | 'html'
  | 'table'
  | 'parquet'
  | 'notebook'
  | 'image'
  | 'pdf'
  | 'document'
  | 'other';

const KINDS: [FileKind, RegExp][] = [
  ['image', /\.(png|jpe?g|gif|webp|bmp|avif)$/i],
  ['pdf', /\.pdf$/i],
  ['markdown', /\.(md|markdown)$/i],
  ['html', /\.x?html?$/i],
  ['table', /\.(csv|tsv)$/i],
  ['parquet', /\.parquet$/i],
  ['notebook', /\.ipynb$/i],
  // Their text is the indexed one.
  ['document', /\.(docx|pptx|xlsx|xlsm|od[tps]|epub|rtf|eml|mhtml|mht|tiff?)$/i],
  ['other', /\.(doc|ppt|xls|zip|gz|tar|7z|mp[34]|wav|ogg|bin|exe|so|whl)$/i],
];

export function kindOf(path: string): FileKind {
  return KINDS.find(([, names]) => names.test(path))?.[0] ?? 'text';
}
