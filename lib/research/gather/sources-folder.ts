/** Where what came from outside is kept in a workspace. */
export const SOURCES_FOLDER = 'sources';
