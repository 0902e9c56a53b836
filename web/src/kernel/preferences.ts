import { keepChoice } from './personal.ts'
import { useSession } from './session.ts'
import { onStored, readStored } from './storage.ts'

/** What one person chose for one part of the program; colleagues at the same desk have their own. */
const nameOf = (name: string): string => {
  const { user } = useSession.getState()
  return user === null ? `own-${name}` : `own-${user.tenantId}-${user.userId}-${name}`
}

export const readPreference = (name: string): unknown => readStored<unknown>(nameOf(name))

/** Null forgets it. */
export const writePreference = (name: string, value: unknown): void => keepChoice(nameOf(name), value)
/** Runs `listener` when the account brought another choice, or another tab made one. */
export const onPreference = (name: string, listener: () => void): (() => void) => onStored(nameOf(name), listener)
