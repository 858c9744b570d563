/** Provider C speaks the protocol of provider A at this address. */
export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta/openai/';
