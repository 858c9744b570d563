/** The issuer's redirect path: it must be registered there, after this service's URL. */
export const REDIRECT_PATH = '/signed-in';
