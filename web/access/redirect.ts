/** The path to which the issuer redirects. It must be registered there, after this service's URL. */
export const REDIRECT_PATH = '/signed-in';
