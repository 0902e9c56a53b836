import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '../kernel/boundary.tsx'
import { currentLang, useLangStore } from '../kernel/i18n/index.ts'
import { loadPermissions } from '../kernel/permission.ts'
import '../kernel/i18n/desk.ts'
import { newQueryClient } from '../kernel/query.ts'
import { useSession } from '../kernel/session.ts'
import { Toaster } from '../kernel/toaster.tsx'
import { ExportHost } from '../resource/export-buttons.tsx'
import { menuQuery, roleQuery } from '../shell/menu.ts'
import { CrashPage } from '../shell/status-pages.tsx'
import { AntdProvider } from '../ui/antd-provider.tsx'
import { DialogHost } from '../ui/dialog-host.tsx'
import { keepPresses } from '../ui/keep-press.ts'
import { startOwnSettings } from './own-settings.ts'
import { preloadPage, preparePage } from './pages.ts'
import { watchRights } from './right-changes.ts'
import { newRouter } from './routes.tsx'
import '../kernel/theme/shell-tokens.css'

/** The console of members of staff. Menu, buttons, role names and the page of the address start together. */
export const mount = (into: HTMLElement): (() => void) => {
  const client = newQueryClient()
  preloadPage(location.pathname)
  if (!useSession.getState().locked) {
    void client.prefetchQuery(menuQuery)
    void client.prefetchQuery(roleQuery(currentLang()))
    void loadPermissions().then(
      () => preparePage(client, location),
      () => {},
    )
  }
  const router = newRouter()
  const root = createRoot(into)
  root.render(
    <QueryClientProvider client={client}>
      <AntdProvider>
        <ErrorBoundary fallback={(retry, error) => <CrashPage error={error} onRetry={retry} />}>
          <RouterProvider router={router} />
        </ErrorBoundary>
        <ExportHost />
        <DialogHost />
        <Toaster />
      </AntdProvider>
    </QueryClientProvider>,
  )
  // Texts of the server come in the language that was asked for.
  const stop = useLangStore.subscribe((now, before) => {
    if (now.lang !== before.lang) void client.invalidateQueries()
  })
  const stopSettings = startOwnSettings()
  const stopRights = watchRights(client)
  const stopPresses = keepPresses()
  return () => {
    stop()
    stopSettings()
    stopRights()
    stopPresses()
    root.unmount()
  }
}
