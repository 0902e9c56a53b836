// Runs before the first paint (the content security policy allows no inline script): theme, density, language and which of the
// three skeletons of index.html is shown. The names are those of kernel/storage.ts.
;(() => {
  const root = document.documentElement
  const read = name => {
    try {
      return JSON.parse(localStorage.getItem(`kaopu-${name}`))
    } catch {
      return null
    }
  }
  // The look is stored with all its variables (kernel/theme/theme.ts), so nothing has to be worked out here.
  const look = read('look')
  root.dataset.theme = look?.force ?? read('mode') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  Object.assign(root.dataset, { preset: look?.theme ?? 'theme-hey', ...look?.shell })
  if (look) root.style.cssText = look[root.dataset.theme]
  root.dataset.density = read('density') ?? 'compact'
  root.lang = read('lang') === 'en' ? 'en' : 'zh-CN'
  const hasToken = /(^|; )kaopu-access-token=[^;]/.test(document.cookie)
  const user = read('session')?.user
  root.dataset.entry =
    hasToken && user ? (user.userType === 2 ? 'portal' : 'console') : location.pathname.startsWith('/register') ? 'portal' : 'login'
})()
