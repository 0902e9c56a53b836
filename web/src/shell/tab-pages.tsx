import { Activity, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type ResolvedPage, resolvePage, sectionPages } from '../console/pages.ts'
import { ErrorBoundary } from '../kernel/boundary.tsx'
import { type Label, useLabel } from '../kernel/i18n/index.ts'
import { lazyPart } from '../kernel/lazy-part.ts'
import { PageSkeleton } from '../ui/states.tsx'
import { PageProvider } from './page-context.tsx'
import { CrashPage } from './status-pages.tsx'
import { livePaths, renewTab, type Tab, useTabs } from './tabs.ts'
import { useScrollStop } from './use-scroll-stop.ts'

/** Pages of other programs: few menus have one. */
const FramePage = lazyPart(async () => (await import('./frame-page.tsx')).FramePage)

const titleAt = async (path: string): Promise<Label | null> => (await resolvePage(path))?.title ?? null

const usePageOf = (path: string): ResolvedPage | null => {
  const [page, setPage] = useState<ResolvedPage | null>(null)
  useEffect(() => {
    let gone = false
    void resolvePage(path).then(found => {
      if (!gone) setPage(found)
    })
    return () => {
      gone = true
    }
  }, [path])
  return page
}

const DocumentTitle = ({ tab }: { readonly tab: Tab }) => {
  const text = useLabel()(tab.title)
  useEffect(() => {
    document.title = text
  }, [text])
  return null
}

const Scroller = ({ tab, children }: { readonly tab: Tab; readonly children: ReactNode }) => {
  const ref = useRef<HTMLElement>(null)
  useScrollStop(ref, useLabel()(tab.title))
  return (
    <section ref={ref} className="tab-page">
      {children}
    </section>
  )
}

/** Memoised: a page is not drawn anew because another tab was opened or is shown. */
const TabPage = memo(({ path }: { readonly path: string }) => {
  const page = usePageOf(path)
  if (path.startsWith('/myiframe/'))
    return (
      <Suspense fallback={<PageSkeleton />}>
        <FramePage path={path} />
      </Suspense>
    )
  if (page === null) return <PageSkeleton />
  return (
    <PageProvider path={path} params={page.params} titleAt={titleAt} sections={sectionPages}>
      <Suspense fallback={<PageSkeleton />}>
        <page.Component />
      </Suspense>
    </PageProvider>
  )
})

/**
 * Every open page stays mounted and hidden, so that what was typed in it is there again; its effects pause. Hidden pages beyond
 * the fifteen last used are dropped and drawn anew from their address.
 */
export const TabPages = () => {
  const { tabs, active } = useTabs()
  const live = livePaths(tabs)
  return tabs
    .filter(tab => live.has(tab.path))
    .map(tab => (
      <Activity key={`${tab.path} ${tab.version}`} mode={tab.path === active ? 'visible' : 'hidden'}>
        <Scroller tab={tab}>
          {tab.path === active ? <DocumentTitle tab={tab} /> : null}
          <ErrorBoundary fallback={(_, error) => <CrashPage error={error} onRetry={() => renewTab(tab.path)} inside />}>
            <TabPage path={tab.path} />
          </ErrorBoundary>
        </Scroller>
      </Activity>
    ))
}
