import { createContext } from 'react';

/**
 * Returns what a reader can do about an error with this code, such as a link; undefined for nothing. Parts know no page, so the
 * frame provides it.
 */
export const RemedyContext = createContext<(code: string | undefined) => React.ReactNode>(() => undefined);
