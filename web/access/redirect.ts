/** The path that the issuer redirects to; it must be registered there, after this service's URL. */
export const REDIRECT_PATH = '/signed-in';
