import { useSession } from './session.ts'
import { readStored, writeStored } from './storage.ts'

/**
 * What a person chooses for themselves: kept in this browser at once, where it paints first, and sent to the account by the console.
 * Beside each choice stands who made it, so that nobody takes over what somebody else did at the same desk.
 */
export type Unsent = Readonly<Record<string, string>>

/** Said on the window after each choice. */
export const chosenEvent = 'kaopu-chosen'

export const readUnsent = (): Unsent => readStored<Unsent>('unsent') ?? {}
export const writeUnsent = (unsent: Unsent): void => writeStored('unsent', Object.keys(unsent).length === 0 ? null : unsent)

/** Keeps a choice. Null forgets it. Before the login nobody made it: it becomes that of who logs in. */
export const keepChoice = (name: string, value: unknown): void => {
  writeStored(name, value)
  writeUnsent({ ...readUnsent(), [name]: useSession.getState().user?.userId ?? '' })
  dispatchEvent(new Event(chosenEvent))
}
