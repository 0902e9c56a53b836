type Navigate = (href: string, options: { readonly replace: boolean }) => void
let navigate: Navigate = href => location.assign(href)

/** The router registers itself here, so that pages and stores need not know it. */
export const setNavigator = (go: Navigate): void => {
  navigate = go
}

/** Goes to a path of the console: `goTo('/examine/list?examId=1')`. */
export const goTo = (href: string, options: { readonly replace?: boolean } = {}): void =>
  navigate(href, { replace: options.replace ?? false })

/** Why a page must not be left just now, by path; the shell asks the person before it closes the tab. */
const guards = new Map<string, () => boolean>()
export const guardTab = (path: string, hasChanges: () => boolean): (() => void) => {
  guards.set(path, hasChanges)
  return () => {
    if (guards.get(path) === hasChanges) guards.delete(path)
  }
}
export const tabHasChanges = (path: string): boolean => guards.get(path)?.() ?? false
export const anyTabHasChanges = (): boolean => [...guards.values()].some(hasChanges => hasChanges())
