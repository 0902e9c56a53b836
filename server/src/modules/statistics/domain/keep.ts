/** Statistics are never older than this (domain 5.8), whatever a tenant has set. */
const longestMs = 30_000

/** How long a tenant's figures are kept by its parameter `stat.cacheSeconds`; nonsense counts as the longest. */
export const keepMsOf = (cacheSeconds: string | undefined): number =>
  cacheSeconds !== undefined && /^\d{1,6}$/.test(cacheSeconds) ? Math.min(Number(cacheSeconds) * 1_000, longestMs) : longestMs
