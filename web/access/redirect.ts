/** Where the issuer sends people back to: it must be registered there, with this service's address before it. */
export const REDIRECT_PATH = '/signed-in';
