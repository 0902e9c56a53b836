/** Entries of the browser's store that hold what the portal has read (below `kaopu-`). */
export const copyPrefix = 'read-'
