import { prefix } from './storage.ts'

/** What lasts as long as this tab, also when the phone drops the page from memory and loads it again. A blocked storage is an empty one. */
export const readTab = <T>(name: string): T | null => {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export const writeTab = (name: string, value: unknown): void => {
  try {
    if (value === null) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // It then lasts as long as the page.
  }
}
