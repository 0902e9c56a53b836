type Navigate = (href: string, options: { readonly replace: boolean }) => void
let navigate: Navigate = href => location.assign(href)

/** The router registers itself here, so that pages and stores need not know it. */
export const setNavigator = (go: Navigate): void => {
  navigate = go
}

/** Goes to a path of the console: `goTo('/examine/list?examId=1')`. */
export const goTo = (href: string, options: { readonly replace?: boolean } = {}): void =>
  navigate(href, { replace: options.replace ?? false })
