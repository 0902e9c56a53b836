import { type ReactNode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { latePage } from '#web/kernel/late-page.tsx'
import { useSession } from '#web/kernel/session.ts'
import { startBig } from './big.ts'
import { begin } from './calls.ts'
import { Frame } from './frame.tsx'
import { firstExams, firstOfMine, HomePage } from './home/page.tsx'
import { Failed } from './kit/load.tsx'
import { usePath } from './kit/router.tsx'
import { startPayNotices } from './pay/notices.tsx'
import { Waiting } from './waiting.tsx'
import './portal.css'

const OtherPages = latePage(() => import('./routes.tsx').then(module => module.OtherPages), Waiting)

/** The first page is here, the others come when they are asked for: a phone loads their addresses after it (ADR 0014). */
const isHome = (path: string): boolean => path === '/' || path === '/wel/index'

const Guarded = ({ children }: { readonly children: ReactNode }) => {
  const path = usePath()
  return (
    <ErrorBoundary resetKey={path} fallback={retry => <Failed error={null} onRetry={retry} />}>
      <Suspense fallback={<Waiting />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

const CurrentPage = () => (isHome(usePath()) ? <HomePage /> : <OtherPages />)

const Portal = () => (
  <Frame>
    <Guarded>
      <CurrentPage />
    </Guarded>
  </Frame>
)

/** Nothing on the first page moves when its answers come with the program; a slow line is shown a page that waits. */
const patienceMs = 1_000

/** Asks for what the first page shows, before it is drawn. */
export const ready = async (): Promise<void> => {
  if (useSession.getState().user?.userType !== 2) return
  const asked = [startPayNotices(), ...(isHome(location.pathname) ? [begin('myExamList', firstOfMine), begin('examList', firstExams)] : [])]
  await Promise.race([Promise.all(asked), new Promise(done => setTimeout(done, patienceMs))])
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
