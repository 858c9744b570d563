import { createContext } from 'react';

/**
 * Returns what a reader can do about an error with this code, such as a link; undefined if there is nothing. Parts
 * don't know pages, so the frame provides it.
 */
export const RemedyContext = createContext<(code: string | undefined) => React.ReactNode>(() => undefined);
