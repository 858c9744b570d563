/** A larger file is not indexed. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
