/** The maximum size of an indexed file. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
