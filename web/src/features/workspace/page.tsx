import { Activity, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { isSection, type Section, type SectionPage, workspacePath } from '#web/console/page-entry.ts'
import { forgetAhead } from '#web/kernel/ahead.ts'
import { ErrorBoundary } from '#web/kernel/boundary.tsx'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useExamRows } from '#web/resource/exams.ts'
import { useWorkExam } from '#web/resource/work-exam.ts'
import { goTo } from '#web/shell/go.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { PageProvider, usePage, useSections, useTabAt, useTabTitle } from '#web/shell/page-context.tsx'
import { EmptyState, FailedState, Forbidden, PageSkeleton } from '#web/ui/states.tsx'
import { Overview } from './overview.tsx'
import { workspaceTexts } from './texts.ts'
import { type Part, useParts } from './use-parts.ts'
import './workspace.css'

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }))

/** What an address below the workspace names. */
const placeOf = (at: string): { section: string; page: string | undefined } => {
  const [section = 'overview', page] = at.split('/').slice(4)
  return { section: section === '' ? 'overview' : section, page }
}

const Switcher = ({ examId, at }: { readonly examId: string; readonly at: string }) => {
  const t = useT(workspaceTexts)
  const { path } = usePage()
  const { data } = useExamRows()
  const rows = data?.records ?? []
  const choose = (id: string) => {
    const { section, page } = placeOf(at)
    moveOn(path, workspacePath(id, isSection(section) ? section : 'overview', page))
  }
  return (
    <label className="workspace-switch">
      <span className="visually-hidden">{t('switch')}</span>
      <select className="input" value={examId} onChange={event => choose(event.target.value)}>
        {rows.some(row => row.id === examId) ? null : <option value={examId}>…</option>}
        {rows.map(row => (
          <option key={row.id} value={row.id}>
            {row.examCode} {row.examName}
          </option>
        ))}
      </select>
    </label>
  )
}

const SectionNav = ({ parts, examId, now }: { readonly parts: readonly Part[]; readonly examId: string; readonly now: Section | null }) => {
  const t = useT(workspaceTexts)
  return (
    <nav className="workspace-nav" aria-label={t('nav.label')}>
      <ul>
        {parts.map(({ section }) => (
          <li key={section}>
            <NavLink to={workspacePath(examId, section)} aria-current={section === now ? 'page' : undefined}>
              {t(`section.${section}`)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const PageNav = ({ examId, part, now }: { readonly examId: string; readonly part: Part; readonly now: SectionPage }) => {
  const t = useT(workspaceTexts)
  const label = useLabel()
  if (part.pages.length < 2) return null
  return (
    <nav className="workspace-pages" aria-label={t('nav.pages')}>
      <ul>
        {part.pages.map(page => (
          <li key={page.path}>
            <NavLink to={workspacePath(examId, part.section, page.key)} aria-current={page === now ? 'page' : undefined}>
              {label(page.title)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface Shown {
  readonly at: string
  readonly page: SectionPage
}

/** A page with the examination settled by its frame; it asks for its address as if it stood alone. */
const Framed = ({ shown: { at, page }, examId }: { readonly shown: Shown; readonly examId: string }) => {
  const { path, titleAt } = usePage()
  const part = useMemo(() => ({ at, title: page.title, fixed: { examId } }), [at, page, examId])
  const params = useMemo(() => ({ id: examId, examId }), [examId])
  return (
    <PageProvider path={path} params={params} titleAt={titleAt} sections={[]} part={part}>
      <page.Component />
    </PageProvider>
  )
}

/** Pages that were opened stay, hidden, as tabs do: what was typed and searched there is there again. */
const Pages = ({ shown, examId }: { readonly shown: Shown | null; readonly examId: string }) => {
  const [opened, setOpened] = useState<readonly Shown[]>([])
  const all = shown === null || opened.some(one => one.at === shown.at) ? opened : [...opened, shown]
  if (all !== opened) setOpened(all)
  return all.map(one => (
    <Activity key={one.at} mode={one.at === shown?.at ? 'visible' : 'hidden'}>
      <ErrorBoundary fallback={(retry, error) => <FailedState text={error instanceof Error ? error.message : undefined} onRetry={retry} />}>
        <Suspense fallback={<PageSkeleton />}>
          <Framed shown={one} examId={examId} />
        </Suspense>
      </ErrorBoundary>
    </Activity>
  ))
}

const OwnPart = ({ section, at, examId, parts }: { section: Section; at: string; examId: string; parts: readonly Part[] }) => {
  const t = useT(workspaceTexts)
  const { path, titleAt } = usePage()
  const part = useMemo(() => ({ at, title: { zh: '变更记录', en: 'History' }, fixed: { examId } }), [at, examId])
  if (section === 'overview') return <Overview examId={examId} parts={parts} />
  if (section !== 'history') return <EmptyState text={t('gone')} />
  return (
    <PageProvider path={path} params={{}} titleAt={titleAt} sections={[]} part={part}>
      <Suspense fallback={<PageSkeleton />}>
        <History examId={examId} />
      </Suspense>
    </PageProvider>
  )
}

const Workspace = ({ examId }: { readonly examId: string }) => {
  const t = useT(workspaceTexts)
  const parts = useParts()
  const sections = useSections()
  const at = useTabAt()
  const { search, isActive } = usePage()
  const { data } = useExamRows()
  const exam = data?.records.find(row => row.id === examId)
  useTabTitle(exam === undefined ? null : { zh: exam.examName, en: exam.examName })
  const place = placeOf(at)
  const part = parts?.find(one => one.section === place.section)
  const page = part?.pages.find(one => one.key === place.page) ?? (place.page === undefined ? part?.pages[0] : undefined)
  // The first page of a section has the section's address, so that it is never open twice.
  const own = page !== undefined && page === part?.pages[0] ? workspacePath(examId, page.section) : at
  const shown = page === undefined ? null : { at: own, page }
  const query = search.toString()
  useEffect(() => {
    if (own !== at && isActive()) goTo(query === '' ? own : `${own}?${query}`, { replace: true })
  }, [own, at, query, isActive])
  if (parts === null) return <PageSkeleton />
  const isOwn = part !== undefined && part.pages.length === 0
  // A page that nobody has is no question of rights.
  const isKnown =
    place.page === undefined ? isSection(place.section) : sections.some(one => one.section === place.section && one.key === place.page)
  return (
    <div className="workspace">
      <header className="workspace-head">
        <Switcher examId={examId} at={at} />
        <SectionNav parts={parts} examId={examId} now={part?.section ?? null} />
        {part !== undefined && page !== undefined ? <PageNav examId={examId} part={part} now={page} /> : null}
      </header>
      {isOwn ? <OwnPart section={part.section} at={at} examId={examId} parts={parts} /> : null}
      {shown !== null || isOwn ? null : isKnown ? <Forbidden inside /> : <EmptyState text={t('noPage')} />}
      <Pages shown={shown} examId={examId} />
    </div>
  )
}

/** `mine` stands for the examination with work for the person: old addresses come without one. */
const Mine = () => {
  const t = useT(workspaceTexts)
  const { path, search } = usePage()
  const at = useTabAt()
  const { section: wanted, page: key } = placeOf(at)
  const menuPath = useSections().find(one => one.section === wanted && (key === undefined || one.key === key))?.menuPath
  const { examId, isKnown } = useWorkExam(menuPath ?? undefined)
  const exams = useExamRows()
  useEffect(() => {
    if (examId === null) return
    // What the old address asked for ahead was asked without an examination: nobody reads it.
    forgetAhead()
    const { section, page } = placeOf(at)
    const query = search.toString()
    moveOn(path, workspacePath(examId, isSection(section) ? section : 'overview', page) + (query === '' ? '' : `?${query}`))
  }, [examId, path, at, search])
  if (exams.isError) return <FailedState text={exams.error.message} onRetry={() => void exams.refetch()} />
  return isKnown && examId === null ? <EmptyState text={t('none')} /> : <PageSkeleton />
}

/** Everything about one examination in one tab. */
export const Page = () => {
  const { params } = usePage()
  const id = params.id ?? 'mine'
  return id === 'mine' ? <Mine /> : <Workspace key={id} examId={id} />
}
