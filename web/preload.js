// Stands in for Vite's helper of lazy imports (`vite.config.ts`), a fifth of its size: asks for the files of a part at once and
// waits for its style sheets. A style sheet that does not come is a part that does not come (kernel/chunk.ts).

const asked = {}

const ask = file => {
  asked[file] ??= new Promise((done, fail) => {
    // The boot script may have asked for it: what it asked for in vain is asked for again.
    const known = document.querySelector(`link[href="/${file}"]`)
    const link = known ?? document.createElement('link')
    const isSheet = file.endsWith('.css')
    if (!isSheet || known?.sheet) done()
    link.addEventListener('load', done)
    link.addEventListener('error', () => {
      delete asked[file]
      link.remove()
      fail(new Error(`Unable to preload CSS for /${file}`))
    })
    if (known) return
    link.href = `/${file}`
    link.rel = isSheet ? 'stylesheet' : 'modulepreload'
    document.head.append(link)
  })
  return asked[file]
}

export const __vitePreload = (load, files = []) => Promise.all(files.map(ask)).then(load)
