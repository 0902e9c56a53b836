import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { useT } from '#web/kernel/i18n/index.ts'
import { newQueryClient } from '#web/kernel/query.ts'
import { onForget } from '#web/kernel/session.ts'
import { Frame } from './frame.tsx'
import { HomePage } from './home/page.tsx'
import { Failed } from './kit/load.tsx'
import { ButtonLink, Empty, PageTitle, Skeleton } from './kit/ui.tsx'
import { portalTexts } from './texts.ts'
import './portal.css'

const ExamListPage = lazy(async () => ({ default: (await import('./exam/list.tsx')).ExamListPage }))
const ExamPage = lazy(async () => ({ default: (await import('./exam/detail.tsx')).ExamPage }))
const FormPage = lazy(async () => ({ default: (await import('./form/page.tsx')).FormPage }))
const MyExamPage = lazy(async () => ({ default: (await import('./mine/page.tsx')).MyExamPage }))
const PayPage = lazy(async () => ({ default: (await import('./pay/page.tsx')).PayPage }))
const TicketPage = lazy(async () => ({ default: (await import('./ticket/page.tsx')).TicketPage }))
const ScorePage = lazy(async () => ({ default: (await import('./score/page.tsx')).ScorePage }))
const NoticePage = lazy(async () => ({ default: (await import('./notice/page.tsx')).NoticePage }))
const InfoPage = lazy(async () => ({ default: (await import('./account/info.tsx')).InfoPage }))
const RegisterPage = lazy(async () => ({ default: (await import('./account/register.tsx')).RegisterPage }))
const ProblemPage = lazy(async () => ({ default: (await import('./problem/page.tsx')).ProblemPage }))

const NotFound = () => {
  const t = useT(portalTexts)
  return (
    <>
      <PageTitle title={t('state.notFound')} />
      <Empty text={t('state.notFoundHint')}>
        <ButtonLink to="/" look="primary">
          {t('state.toHome')}
        </ButtonLink>
      </Empty>
    </>
  )
}

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
          <Route component={NotFound} />
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
