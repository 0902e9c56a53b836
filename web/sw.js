// The worker of a program that opens without a network: the portal, and the pages of the examination day. The build writes the name of its caches, the
// version and the files in (vite.config.ts).
// Only files of the program are kept here, nothing personal: answers of the server are never touched by the worker.

const version = '__VERSION__'
const files = __FILES__
const prefix = '__PREFIX__'
const cacheName = `${prefix}${version}`
/** Caches of earlier versions of this worker; the other one looks after its own. */
const isFormer = name => name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length)) && name !== cacheName
/** A phone on a bad line gets the page it had before rather than a white one. */
const patienceMs = 4_000

self.addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then(cache => cache.addAll(files.map(file => new Request(file, { cache: file === '/' ? 'reload' : 'default' })))),
  )
})

// No skipWaiting: this version takes over when no page of the one before is open. A form that is being filled in
// keeps finding the files it began with, in the cache that is removed only here.
self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names => Promise.all(names.filter(isFormer).map(name => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

/** The newest page when the network has one soon, else the one that belongs to this version. */
const page = async request => {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patienceMs)
  try {
    const answer = await fetch(request, { signal: patience.signal })
    if (answer.status < 500) return answer
  } catch {
    // No network, or a very slow one.
  } finally {
    clearTimeout(timer)
  }
  return (await caches.match('/', { cacheName })) ?? fetch(request)
}

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || /^\/(api|demo)(\/|$)/.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (files.includes(pathname)) event.respondWith(caches.match(pathname, { cacheName }).then(kept => kept ?? fetch(request)))
})
