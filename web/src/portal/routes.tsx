import type { ComponentType, ReactNode } from 'react'
import { latePage } from '#web/kernel/late-page.tsx'
import { usePath } from './kit/router.tsx'
import './later-reads.ts'
import './pages.css'
import { matchPath } from './kit/address.ts'
import { Waiting } from './waiting.tsx'

const page = <P extends object>(load: () => Promise<ComponentType<P>>) => latePage(load, Waiting)

const ExamListPage = page(() => import('./exam/list.tsx').then(module => module.ExamListPage))
const ExamPage = page(() => import('./exam/detail.tsx').then(module => module.ExamPage))
const FormPage = page(() => import('./form/page.tsx').then(module => module.FormPage))
const MyExamPage = page(() => import('./mine/page.tsx').then(module => module.MyExamPage))
const PayPage = page(() => import('./pay/page.tsx').then(module => module.PayPage))
const PaidPage = page(() => import('./pay/paid-page.tsx').then(module => module.PaidPage))
const TicketPage = page(() => import('./ticket/page.tsx').then(module => module.TicketPage))
const ScorePage = page(() => import('./score/page.tsx').then(module => module.ScorePage))
const SelectionPage = page(() => import('./selection/page.tsx').then(module => module.SelectionPage))
const NoticePage = page(() => import('./notice/page.tsx').then(module => module.NoticePage))
const InfoPage = page(() => import('./account/info.tsx').then(module => module.InfoPage))
const DoorPage = page(() => import('./account/doors.tsx').then(module => module.DoorPage))
const PublishedPage = page(() => import('./news/list.tsx').then(module => module.PublishedPage))
const NoticeTextPage = page(() => import('./news/text-page.tsx').then(module => module.NoticeTextPage))
const NewsTextPage = page(() => import('./news/text-page.tsx').then(module => module.NewsTextPage))
const AdjustPage = page(() => import('./adjust/page.tsx').then(module => module.AdjustPage))
const NotFoundPage = page(() => import('./not-found.tsx').then(module => module.NotFoundPage))
const ProblemPage = page(() => import('./problem/page.tsx').then(module => module.ProblemPage))

/** The pages by their addresses; all URLs of the specification stay as they are (decision 2.14). */
const routes: readonly (readonly [pattern: string, draw: (params: Readonly<Record<string, string>>) => ReactNode])[] = [
  ['/signup/examList', () => <ExamListPage />],
  ['/signup/exam/:examId', ({ examId = '' }) => <ExamPage key={examId} examId={examId} />],
  ['/signup/form/:examId', ({ examId = '' }) => <FormPage key={examId} examId={examId} />],
  ['/signup/myExam', () => <MyExamPage />],
  ['/signup/examPay', () => <PayPage />],
  ['/signup/examPay/:payId', ({ payId = '' }) => <PaidPage key={payId} payId={payId} />],
  ['/signup/ticket', () => <TicketPage />],
  ['/signup/score', () => <ScorePage />],
  ['/signup/adjust', () => <AdjustPage />],
  ['/signup/selection', () => <SelectionPage />],
  ['/notices', () => <PublishedPage key="notices" of="notices" />],
  ['/notices/:id', ({ id = '' }) => <NoticeTextPage key={id} id={id} />],
  ['/publicity', () => <PublishedPage key="publicity" of="publicity" />],
  ['/news', () => <PublishedPage key="news" of="news" />],
  ['/news/:id', ({ id = '' }) => <NewsTextPage key={id} id={id} />],
  ['/notice/index', () => <NoticePage />],
  ['/info/index', () => <InfoPage />],
  ['/problem/problem', () => <ProblemPage />],
  ['/register', () => <DoorPage />],
  ['/register/forgot', () => <DoorPage key="forgot" of="forgot" />],
  ['/register/object', () => <DoorPage key="object" of="object" />],
  ['/register/appeal', () => <DoorPage key="appeal" of="appeal" />],
]

/** Every page but the first. */
export const OtherPages = () => {
  const path = usePath()
  for (const [pattern, draw] of routes) {
    const params = matchPath(pattern, path)
    if (params !== null) return draw(params)
  }
  return <NotFoundPage />
}
