/**
 * Builds pages and server where they do not stem from the sources as they are.
 * @param only - `web` or `server`; without it both
 * @returns milliseconds
 */
export declare const build: (node: string, only?: 'web' | 'server') => Promise<number>
/** The built server. */
export declare const serverProgram: string
/** The folder of the repository. */
export declare const root: string
/** The Node that comes with the packages, or the system's own where that is new enough. @throws Trouble where there is none */
export declare const pinnedNode: () => string
/** A sentence for the person at the keyboard; shown without a stack. */
export declare class Trouble extends Error {}
/** @returns milliseconds as `1.2 s` */
export declare const seconds: (ms: number) => string
