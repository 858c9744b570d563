/** A Git LFS pointer is shorter than this, whatever it points to. */
const MAX_POINTER_BYTES = 1024;
/** The keys after the version are in alphabetical order; extensions of LFS may come before the hash. */
const POINTER =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?:[a-z0-9.-]{1,100} [^\r\n]{1,500}\r?\n)*size \d+\r?\n?$/;

/** Whether a file is a Git LFS pointer: its content wasn't fetched (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
export function isLfsPointer(bytes: Buffer): boolean {
  return bytes.length <= MAX_POINTER_BYTES && POINTER.test(bytes.toString('latin1'));
}
