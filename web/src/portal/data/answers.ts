import { onForget, useSession } from '#web/kernel/session.ts'
import { removeStored } from '#web/kernel/storage.ts'
import { newReadCache } from './cache.ts'
import { copyPrefix } from './names.ts'

/** Name, input and language of a reading call, as one text. */
export const keyOf = (name: string, of: object, lang: string): string => `${name} ${JSON.stringify(of)} ${lang}`

const userId = (): string | null => useSession.getState().user?.userId ?? null

/** What the portal has read. Copies stay on the device until the person leaves. */
export const answers = newReadCache({
  keep: (key, data, atMs) => {
    const id = userId()
    if (id !== null) void import('./copies.ts').then(({ keepCopy }) => keepCopy(id, key, data, atMs)).catch(() => {})
  },
  find: async key => {
    const id = userId()
    return id === null ? null : (await import('./copies.ts')).findCopy(id, key)
  },
})

addEventListener('online', () => answers.online())
onForget(() => {
  answers.clear()
  removeStored(copyPrefix)
})

/** After a change: reads everything on the screen anew, or only the named call. */
export const refresh = (name?: string): Promise<void> => answers.invalidate(key => name === undefined || key.startsWith(`${name} `))
