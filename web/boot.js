// Stands inside the page (`vite.config.ts` puts it there, the server names its hash to the browser: ADR 0080) and runs before the first
// paint: theme, density, language and which of the three skeletons of index.html is shown. Then it asks at once for what the program of
// this address needs: its files, and the first answers of the server, instead of one after the other. The names are those of
// kernel/storage.ts, the headers those of kernel/api.ts, which takes the answers (kernel/ahead.ts).
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
  const isEnglish = read('lang') === 'en'
  root.lang = isEnglish ? 'en' : 'zh-CN'
  const cookie = /(?:^|; )kaopu-access-token=([^;]+)/.exec(document.cookie)
  const session = read('session')
  const user = cookie && session?.user
  const { pathname, search } = location
  const isCandidate = user?.userType === 2
  // What is published reads the same for everybody.
  const isPortal = isCandidate || /^\/(notices|publicity|news)(\/|$)/.test(pathname) || (!user && pathname.startsWith('/register'))
  const entry = isPortal ? 'portal' : !user ? 'login' : pathname === '/site' ? 'site' : 'console'
  root.dataset.entry = entry

  const programs = JSON.parse('__PROGRAMS__')
  const page = JSON.parse(document.querySelector('meta[name="kaopu-page"]')?.content ?? 'null')
  const [program, own] = [programs[entry] ?? {}, page?.[entry] ?? {}]
  const load = (files = [], then = () => {}) => {
    let left = files.length
    for (const file of files) {
      const link = document.createElement('link')
      link.rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
      link.href = `/${file}`
      link.onload = () => --left || then()
      link.onerror = () => link.remove()
      document.head.append(link)
    }
  }
  const ask = () => {
    // Registration asks for nothing, a locked screen shows nothing of the person, an old token is renewed first, and a tenant in the address is
    // the program's to read.
    if (
      (isPortal && !isCandidate) ||
      search.includes('tenantId=') ||
      session?.locked ||
      (user && Date.now() - session.tokenAtMs > 3_000_000)
    )
      return
    const tenant = read('tenant')
    const headers = {
      Authorization: `Basic ${btoa('kaopu-web:kaopu-web')}`,
      'Blade-Requested-With': 'BladeHttpRequest',
      'Accept-Language': isEnglish ? 'en' : 'zh-CN',
      ...(user ? { 'Blade-Auth': `bearer ${decodeURIComponent(cookie[1])}` } : {}),
      ...(tenant ? { 'Tenant-Id': tenant } : {}),
    }
    const calls = {}
    // The state of a list is in the address: what it asks for then, only its program knows. A page that is not in the person's menu
    // (shell/menu.ts) asks for nothing: its first call would be refused, and a refused call is told as somebody trying doors.
    const isShut = read('paths')?.includes(pathname) === false
    for (const call of [...(search || isShut ? [] : (own.calls ?? [])), ...(program.calls ?? [])]) {
      const url = `/api${call.replace('{last}', pathname.split('/').at(-1))}`
      const sentAtMs = Date.now()
      const answer = fetch(url, { credentials: 'include', headers }).then(response => ({ response, sentAtMs, cameAtMs: Date.now() }))
      answer.catch(() => {})
      calls[url] = { headers: JSON.stringify(headers), sentAtMs, answer }
    }
    globalThis.kaopuAhead = calls
  }
  // Six connections are all there is. The console takes time to begin, in which its answers come; of the others the biggest file is on its way
  // while the server finds the answers.
  const files = [...(program.files ?? []), ...(own.files ?? [])]
  const lead = entry === 'console' ? files.length : 1
  load(files.slice(0, lead), () => load(own.later))
  ask()
  load(files.slice(lead))
})()
