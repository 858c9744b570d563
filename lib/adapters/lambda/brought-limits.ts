const MIB = 1024 * 1024;

/**
 * Limits of the files that are copied to the commands function and back. Anything beyond them is omitted and
 * named.
 */
export const BROUGHT = {
  /** Files, folders, and links of a workspace. Their list must fit into a message of 6 MB. */
  entries: 50_000,
  /** Bytes per file. Larger files are data, for which these commands aren't meant. */
  fileBytes: 64 * MIB,
  /** Bytes of all files. The function's ephemeral storage (serverless.yml) has room for twice that. */
  bytes: 1024 * MIB,
  /** Files, folders, and links that a command may leave behind, and changes that may come back. */
  entriesAfter: 100_000,
  changedBytes: 256 * MIB,
  /** Bytes of the list in its message, compressed and encoded as base64. */
  listBytes: 4 * MIB,
};

/** Packs of up to this many bytes are sent inside the message. */
export const INLINE_BYTES = 1024 * 1024;

/**
 * The allowed sizes of a result. Each URL is signed for one of them, so that a leaked URL can't store more. A
 * result is padded with zeros to the next size.
 */
export const RESULT_BYTES = [64 * 1024, MIB, 16 * MIB, BROUGHT.changedBytes + 32 * MIB];
