import { isPublicPath } from './guard.ts'

/**
 * First parts of the addresses that a person could have after the log-in: those of the menus and of the candidates' pages. Whatever begins
 * otherwise is no address of ours, and nobody logs in to be told so.
 */
const own =
  /^\/(authority|base|desk|dict-horizontal|dict-vertical|exam|examine|flow|info|job|lock|monitor|myiframe|notice|pay|problem|resource|result|school|send|signup|site|stat|system|test|ticket|tool|wel|work)(\/|$)/
export const isOwnPath = (pathname: string): boolean => pathname === '/' || isPublicPath(pathname) || own.test(pathname)
