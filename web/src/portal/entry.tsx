import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { useT } from '#web/kernel/i18n/index.ts'
import { startBig } from './big.ts'
import { Frame } from './frame.tsx'
import { HomePage } from './home/page.tsx'
import { Failed } from './kit/load.tsx'
import { usePath } from './kit/router.tsx'
import { Skeleton } from './kit/ui.tsx'
import { portalTexts } from './texts.ts'
import './portal.css'

const OtherPages = lazy(() => import('./routes.tsx').then(module => ({ default: module.OtherPages })))

/** The first page is here, the others come when they are asked for: a phone loads their addresses after it (ADR 0014). */
const isHome = (path: string): boolean => path === '/' || path === '/wel/index'

const Guarded = ({ children }: { readonly children: ReactNode }) => {
  const path = usePath()
  return (
    <ErrorBoundary resetKey={path} fallback={retry => <Failed error={null} onRetry={retry} />}>
      <Suspense fallback={<Skeleton rows={[28, 140, 140]} />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

const CurrentPage = () => (isHome(usePath()) ? <HomePage /> : <OtherPages />)

const Portal = () => {
  const t = useT(portalTexts)
  useEffect(() => {
    document.title = t('app.name')
  }, [t])
  return (
    <Frame>
      <Guarded>
        <CurrentPage />
      </Guarded>
    </Frame>
  )
}

/** Draws the candidates' portal; the boot script calls it (decision 2.14). */
export const mount = (root: HTMLElement): (() => void) => {
  const stopBig = startBig()
  const drawn = createRoot(root)
  drawn.render(<Portal />)
  return () => {
    stopBig()
    drawn.unmount()
  }
}
