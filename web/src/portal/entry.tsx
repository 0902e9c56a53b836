import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { useT } from '#web/kernel/i18n/index.ts'
import { newQueryClient } from '#web/kernel/query.ts'
import { onForget } from '#web/kernel/session.ts'
import { Frame } from './frame.tsx'
import { HomePage } from './home/page.tsx'
import { Failed } from './kit/load.tsx'
import { Skeleton } from './kit/ui.tsx'
import { portalTexts } from './texts.ts'
import './portal.css'

/** The styles of the other pages come beside the first of them. */
const page = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), import('./pages.css')])
    return { default: component }
  })

const ExamListPage = page(() => import('./exam/list.tsx').then(module => module.ExamListPage))
const ExamPage = page(() => import('./exam/detail.tsx').then(module => module.ExamPage))
const FormPage = page(() => import('./form/page.tsx').then(module => module.FormPage))
const MyExamPage = page(() => import('./mine/page.tsx').then(module => module.MyExamPage))
const PayPage = page(() => import('./pay/page.tsx').then(module => module.PayPage))
const TicketPage = page(() => import('./ticket/page.tsx').then(module => module.TicketPage))
const ScorePage = page(() => import('./score/page.tsx').then(module => module.ScorePage))
const NoticePage = page(() => import('./notice/page.tsx').then(module => module.NoticePage))
const InfoPage = page(() => import('./account/info.tsx').then(module => module.InfoPage))
const RegisterPage = page(() => import('./account/register.tsx').then(module => module.RegisterPage))
const NotFoundPage = page(() => import('./not-found.tsx').then(module => module.NotFoundPage))
const ProblemPage = page(() => import('./problem/page.tsx').then(module => module.ProblemPage))

const Guarded = ({ children }: { readonly children: ReactNode }) => {
  const [path] = useLocation()
  return (
    <ErrorBoundary resetKey={path} fallback={retry => <Failed error={null} onRetry={retry} />}>
      <Suspense fallback={<Skeleton rows={[28, 140, 140]} />}>{children}</Suspense>
    </ErrorBoundary>
  )
}

const Portal = () => {
  const t = useT(portalTexts)
  useEffect(() => {
    document.title = t('app.name')
  }, [t])
  return (
    <Frame>
      <Guarded>
        <Switch>
          <Route path="/" component={HomePage} />
          <Route path="/wel/index" component={HomePage} />
          <Route path="/signup/examList" component={ExamListPage} />
          <Route path="/signup/exam/:examId">{params => <ExamPage examId={params.examId} />}</Route>
          <Route path="/signup/form/:examId">{params => <FormPage key={params.examId} examId={params.examId} />}</Route>
          <Route path="/signup/myExam" component={MyExamPage} />
          <Route path="/signup/examPay" component={PayPage} />
          <Route path="/signup/ticket" component={TicketPage} />
          <Route path="/signup/score" component={ScorePage} />
          <Route path="/notice/index" component={NoticePage} />
          <Route path="/info/index" component={InfoPage} />
          <Route path="/problem/problem" component={ProblemPage} />
          <Route path="/register" component={RegisterPage} />
          <Route component={NotFoundPage} />
        </Switch>
      </Guarded>
    </Frame>
  )
}

/** Draws the candidates' portal; the boot script calls it (decision 2.14). */
export const mount = (root: HTMLElement): (() => void) => {
  const client = newQueryClient()
  const stopForgetting = onForget(() => client.clear())
  const drawn = createRoot(root)
  drawn.render(
    <QueryClientProvider client={client}>
      <Portal />
    </QueryClientProvider>,
  )
  return () => {
    stopForgetting()
    drawn.unmount()
  }
}
