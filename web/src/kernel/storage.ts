/** Everything the web keeps in the browser is named `kaopu-…` (decision 1.1). A blocked or full storage is treated as an empty one. */
export const prefix = 'kaopu-'

/** What a blocked or full storage refused: it lasts as long as the page. */
const refused = new Map<string, unknown>()

export const readStored = <T>(name: string): T | null => {
  if (refused.has(name)) return refused.get(name) as T
  try {
    const text = localStorage.getItem(prefix + name)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export const writeStored = (name: string, value: unknown): void => {
  refused.delete(name)
  try {
    if (value === null || value === undefined) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    if (value !== null && value !== undefined) refused.set(name, value)
  }
}

/** The names of the entries that begin so. */
export const listStored = (start: string): readonly string[] => {
  try {
    return Object.keys(localStorage).flatMap(name => (name.startsWith(prefix + start) ? [name.slice(prefix.length)] : []))
  } catch {
    return []
  }
}

export const removeStored = (start: string): void => {
  for (const name of listStored(start)) writeStored(name, null)
}

export const readCookie = (name: string): string | null => {
  const found = document.cookie.split('; ').find(part => part.startsWith(`${prefix + name}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(prefix.length + name.length + 1)) || null
}

/** @param maxAgeS - seconds to live; without it the cookie ends with the browser */
export const writeCookie = (name: string, value: string | null, maxAgeS?: number): void => {
  const life = value === null ? '; max-age=0' : maxAgeS === undefined ? '' : `; max-age=${maxAgeS}`
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in the web views that candidates use
  document.cookie = `${prefix + name}=${encodeURIComponent(value ?? '')}; path=/; samesite=strict${life}${secure}`
}

/** Runs `listener` when another tab of this browser changes the entry. */
export const onStored = (name: string, listener: () => void): (() => void) => {
  const heard = (event: StorageEvent) => {
    if (event.key === prefix + name || event.key === null) listener()
  }
  addEventListener('storage', heard)
  return () => removeEventListener('storage', heard)
}
