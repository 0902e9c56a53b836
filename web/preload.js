// Stands in for Vite's helper of lazy imports (`vite.config.ts`), a fifth of its size: asks for the files of a part at once and
// waits for its style sheets. A style sheet that does not come is a part that does not come (kernel/chunk.ts).

const asked = {}

const ask = file => {
  asked[file] ??= new Promise((done, fail) => {
    const link = document.createElement('link')
    link.href = `/${file}`
    link.rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    link.onload = done
    link.onerror = () => {
      delete asked[file]
      link.remove()
      fail(new Error(`Unable to preload CSS for /${file}`))
    }
    if (link.rel === 'modulepreload') done()
    if (document.querySelector(`link[href="${link.getAttribute('href')}"]`)) done()
    else document.head.append(link)
  })
  return asked[file]
}

export const __vitePreload = (load, files = []) => Promise.all(files.map(ask)).then(load)
