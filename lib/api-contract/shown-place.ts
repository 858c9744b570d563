/** Extensions of files whose text is decoded: its lines are in no program that opens them. */
const DECODED = new Set(
  (
    'pdf docx docm dotx dotm odt ott rtf pptx pptm ppsx ppsm potx odp otp xlsx xlsm xltx xltm ods ots epub ' +
    'ipynb eml mht mhtml png jpg jpeg gif webp tif tiff bmp'
  ).split(' '),
);

/** Whether people find the lines of a citation in the file: not in a PDF or an Office file, which have pages, slides, or sheets. */
export function hasLines(path: string): boolean {
  return !DECODED.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** The path with its lines, as `a.md:3-5`; alone for a file without lines. */
export function pathWithLines({
  path,
  startLine,
  endLine,
}: {
  path: string;
  startLine: number;
  endLine: number;
}): string {
  if (!hasLines(path)) return path;
  return `${path}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}
