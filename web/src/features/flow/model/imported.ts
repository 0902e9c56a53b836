const key = 'kaopu-imported-process'
let kept = ''

/** A file that was chosen in one window and is opened in the next page, also after that has been loaded anew. */
export const keepImported = (xml: string): void => {
  kept = xml
  try {
    sessionStorage.setItem(key, xml)
  } catch {
    // Without room in the browser's memory it lasts until the page is left.
  }
}
export const takeImported = (): string => {
  if (kept !== '') return kept
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
/** It is saved. */
export const dropImported = (): void => {
  kept = ''
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept there.
  }
}
