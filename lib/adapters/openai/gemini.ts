/** Gemini speaks the protocol of OpenAI at this address. */
export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta/openai/';
