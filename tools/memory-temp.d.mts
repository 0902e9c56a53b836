/** From here on temporary files of this process and of those it starts lie in memory, where there is room. */
export declare const keepTempInMemory: (place?: string, enough?: number) => void
/** Where files lie in memory, on systems that have such a place. */
export declare const memory: string
