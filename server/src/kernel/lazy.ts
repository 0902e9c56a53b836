import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A large package that is loaded when it is first used and not when the server starts. */
export const lazily = <T>(name: string): (() => T) => {
  let loaded: T | undefined
  return () => {
    loaded ??= require(name) as T
    return loaded
  }
}
