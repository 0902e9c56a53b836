import { useSession } from './session.ts'
import { readStored, writeStored } from './storage.ts'

/** What one person chose for themselves on this browser; colleagues at the same desk have their own. */
const nameOf = (name: string): string => {
  const { user } = useSession.getState()
  return user === null ? `own-${name}` : `own-${user.tenantId}-${user.userId}-${name}`
}

export const readPreference = (name: string): unknown => readStored<unknown>(nameOf(name))

/** Null forgets it. */
export const writePreference = (name: string, value: unknown): void => writeStored(nameOf(name), value)
