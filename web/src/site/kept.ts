import type { DayMark } from '#contract/ticket/exam-day.ts'

/** What this device keeps of the day, whatever becomes of the network, the page or the battery. */

/** A room as it came from the server, with what proves that nobody has changed it. */
export interface KeptPack {
  /** `itemId.siteCode.roomNo` */
  readonly key: string
  readonly userId: string
  readonly expiresAt: number
  readonly pack: string
  readonly signature: string
  readonly publicKey: JsonWebKey
}
export interface KeptMark extends DayMark {
  readonly room: string
  readonly userId: string
  /** The server has it. */
  readonly isSent: boolean
  /** Why the server did not take it. */
  readonly problem?: string
}
export interface KeptForm {
  readonly violationId: string
  readonly room: string
  readonly userId: string
  readonly fields: Readonly<Record<string, string>>
  readonly evidence: readonly Blob[]
  readonly firstSignature: Blob
  readonly secondSignature: Blob
  readonly isSent: boolean
  readonly problem?: string
}

interface Stores {
  readonly packs: KeptPack
  readonly marks: KeptMark
  readonly forms: KeptForm
}
const keys = { packs: 'key', marks: 'markId', forms: 'violationId' } as const

let opening: Promise<IDBDatabase> | undefined
const open = (): Promise<IDBDatabase> => {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open('kaopu-exam-day', 1)
    asked.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(keys)) asked.result.createObjectStore(name, { keyPath })
    }
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  return opening
}

const done = <T>(asked: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

export const readAll = async <S extends keyof Stores>(store: S): Promise<Stores[S][]> =>
  done((await open()).transaction(store).objectStore(store).getAll() as IDBRequest<Stores[S][]>)

/** Ends when the device has it for good. */
export const keep = async <S extends keyof Stores>(store: S, values: readonly Stores[S][]): Promise<void> => {
  if (values.length === 0) return
  const change = (await open()).transaction(store, 'readwrite', { durability: 'strict' })
  for (const value of values) change.objectStore(store).put(value)
  await new Promise<void>((resolve, reject) => {
    change.oncomplete = () => resolve()
    change.onabort = () => reject(change.error)
    change.onerror = () => reject(change.error)
  })
}

export const drop = async (store: keyof Stores, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const change = (await open()).transaction(store, 'readwrite').objectStore(store)
  for (const id of ids) await done(change.delete(id))
}

/** Whether a room is as the server signed it. Only pages that came safely (https) can tell. */
export const isGenuine = async ({ pack, signature, publicKey }: Pick<KeptPack, 'pack' | 'signature' | 'publicKey'>): Promise<boolean> => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  try {
    const key = await crypto.subtle.importKey('jwk', publicKey, algorithm, false, ['verify'])
    const bytes = Uint8Array.from(atob(signature), letter => letter.charCodeAt(0))
    return await crypto.subtle.verify(algorithm, key, bytes, new TextEncoder().encode(pack))
  } catch {
    return false
  }
}
