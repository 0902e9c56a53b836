/** Only an own path may follow a login: `//host` and `/\host` would leave the site. */
export const safeRedirect = (wanted: string | null): string =>
  wanted !== null && /^\/(?![/\\])/.test(wanted) && !/^\/(login|lock)\b/.test(wanted) ? wanted : '/'
