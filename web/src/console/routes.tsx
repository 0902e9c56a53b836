import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { decide, isPublicPath, isReading } from '../kernel/guard.ts'
import { forgetSession, useSession } from '../kernel/session.ts'
import { setNavigator } from '../shell/go.ts'
import { Layout } from '../shell/layout.tsx'
import { LockPage } from '../shell/lock-page.tsx'
import { StatusPage } from '../shell/status-pages.tsx'

/** S2.19–S2.23 before each page. Leaving the console (no token) is a matter of the boot script: the page starts anew. */
const guard = (pathname: string, search: string): void => {
  const { token, user, locked } = useSession.getState()
  const decision = decide({ token, userType: user?.userType ?? null }, locked, { pathname, search, isPublic: isPublicPath(pathname) })
  if (decision.kind === 'allow') return
  if (decision.forget) forgetSession()
  if (token === null || decision.forget) location.assign(decision.to)
  throw redirect({ to: decision.to, replace: true })
}

const rootRoute = createRootRoute({
  component: Outlet,
  beforeLoad: ({ location: to }) => guard(to.pathname, to.searchStr),
})
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Layout })
const home = '/wel/index'
const toHome = () => {
  throw redirect({ to: home, replace: true })
}

const routeTree = rootRoute.addChildren([
  createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: toHome }),
  createRoute({ getParentRoute: () => rootRoute, path: '/wel', beforeLoad: toHome }),
  createRoute({ getParentRoute: () => rootRoute, path: '/login', beforeLoad: toHome }),
  createRoute({ getParentRoute: () => rootRoute, path: '/403', component: () => <StatusPage status={403} /> }),
  createRoute({ getParentRoute: () => rootRoute, path: '/404', component: () => <StatusPage status={404} /> }),
  createRoute({ getParentRoute: () => rootRoute, path: '/500', component: () => <StatusPage status={500} /> }),
  shellRoute.addChildren([
    // Inside the layout, which keeps the pages behind it as they were left (decision 3.9).
    createRoute({ getParentRoute: () => shellRoute, path: '/lock', component: LockPage }),
    // Everything else is a page of the menu; the layout draws it as a tab, so the route itself draws nothing.
    createRoute({ getParentRoute: () => shellRoute, path: '$', component: () => null }),
  ]),
])

/** Plain `name=value` pairs: no JSON in the address. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>) => {
  const text = new URLSearchParams(search as Record<string, string>).toString()
  return text === '' ? '' : `?${text}`
}

export const newRouter = () => {
  const router = createRouter({ routeTree, parseSearch, stringifySearch, defaultPendingMs: 0 })
  setNavigator((href, { replace }) => {
    // What everybody reads is a page of the other program: it begins anew.
    if (isReading(new URL(href, location.origin).pathname)) location.assign(href)
    else if (replace) router.history.replace(href)
    else router.history.push(href)
  })
  return router
}
