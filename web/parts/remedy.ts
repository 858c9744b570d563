import { createContext } from 'react';

/**
 * Returns what a reader can do about an error with this code, such as a link; undefined if nothing. Provided
 * by the frame, because parts don't know the pages.
 */
export const RemedyContext = createContext<(code: string | undefined) => React.ReactNode>(() => undefined);
