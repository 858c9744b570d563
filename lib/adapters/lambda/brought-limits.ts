const MIB = 1024 * 1024;

/** Limits of what is copied to the commands function, and back. The rest is omitted and named. */
export const BROUGHT = {
  /** Files, folders and links of a workspace: their list must fit into a message of 6 MB. */
  entries: 50_000,
  /** Bytes of a file: larger ones are data, which commands here aren't for. */
  fileBytes: 64 * MIB,
  /** All files together. Twice that fits into the function's ephemeral storage (serverless.yml). */
  bytes: 1024 * MIB,
  /** Files, folders, and links that a command may leave there, and changes that are accepted from it. */
  entriesAfter: 100_000,
  changedBytes: 256 * MIB,
  /** The list in its message: base64 of gzip. */
  listBytes: 4 * MIB,
};

/** Packs up to this size go inside the message. */
export const INLINE_BYTES = 1024 * 1024;

/**
 * The sizes that a result may have: each URL is signed for one of them, so that a leaked URL can't store
 * more. A result is padded with zeros to the next size.
 */
export const RESULT_BYTES = [64 * 1024, MIB, 16 * MIB, BROUGHT.changedBytes + 32 * MIB];
