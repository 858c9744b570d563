/** Larger files aren't indexed. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
