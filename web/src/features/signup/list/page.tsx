import { type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan, usePermissionStore } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSession } from '#web/kernel/session.ts'
import { ChoiceBar } from '#web/resource/choice.tsx'
import { CrudPage } from '#web/resource/crud-page.tsx'
import type { SearchField } from '#web/resource/search-row.tsx'
import { loadSignups, type SignupRow } from '#web/resource/signup-rows.ts'
import { type Option, useDict } from '#web/resource/use-dict.ts'
import { useWorkChoice } from '#web/resource/within.tsx'
import { goTo } from '#web/shell/go.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { usePage } from '#web/shell/page-context.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState, FailedState, PageSkeleton } from '#web/ui/states.tsx'
import { CheckMark } from '../check-mark.tsx'
import { useExams, usePosts } from '../exams.ts'
import { keepQueue, takeOpened } from '../queue.ts'
import { isCheckResult, isWaiting } from '../show.ts'
import { reviewTexts } from '../texts.ts'
import { isTyping } from '../typing.ts'
import { Wait } from '../wait.tsx'
import { longestWaiting } from './longest-waiting.ts'
import { listTexts } from './texts.ts'
import { UnitChips } from './unit-chips.tsx'
import { useWorkElsewhere } from './work-elsewhere.ts'
import './list.css'

const workPath = (id: string) => `/examine/work/${id}`

const useSearch = (posts: readonly Option[]): readonly SearchField[] => {
  const t = useT(listTexts)
  const shared = useT(reviewTexts)
  const states = useStateOptions(signupMachine, 'draft')
  const _label = useLabel()
  return useMemo(
    (): readonly SearchField[] => [
      { kind: 'text', key: 'keyword', label: t('filter.keyword') },
      {
        kind: 'select',
        key: 'examine',
        label: t('list.state'),
        options: states,
      },
      {
        kind: 'select',
        key: 'autoCheck',
        label: t('filter.check'),
        options: (['ok', 'warn', 'no'] as const).map(result => ({ value: result, label: shared(`check.${result}`) })),
      },
      {
        kind: 'select',
        key: 'level',
        label: t('filter.level'),
        options: ([1, 2] as const).map(level => ({ value: String(level), label: shared(`level.${level}`) })),
      },
      { kind: 'select', key: 'code', label: t('list.post'), options: posts },
      { kind: 'select', key: 'mayTake', label: t('filter.mayTake'), options: [{ value: '1', label: t('form.yes') }] },
      { kind: 'select', key: 'onlyMine', label: t('filter.mine'), options: [{ value: '1', label: t('form.yes') }] },
    ],
    [t, shared, posts, states],
  )
}

const Short = ({ text, isLong = false }: { readonly text: string | null; readonly isLong?: boolean }) =>
  text === null ? null : (
    <span className="review-short" data-long={isLong} title={text}>
      {text}
    </span>
  )

/** Of a state that was asked for, columns that only others fill are left out; `null` asks for all. */
const useColumns = (state: number | null): readonly Column<SignupRow>[] => {
  const t = useT(listTexts)
  const _label = useLabel()
  const educations = useDict('education')
  const waits = state === null || isWaiting(state)
  const decided = state === null || !isWaiting(state)
  return useMemo(
    (): readonly Column<SignupRow>[] => [
      {
        key: 'signNo',
        title: t('list.signNo'),
        cell: row => (
          <NavLink to={workPath(row.id)} data-signup={row.id}>
            {row.signNo ?? row.id}
          </NavLink>
        ),
      },
      {
        key: 'name',
        field: 'signup.name',
        title: t('list.name'),
        cell: row =>
          row.nameRare === 1 ? (
            <span title={t('list.rare')}>
              {row.name}
              <span className="review-rare" aria-hidden="true">
                *
              </span>
              <span className="visually-hidden">{t('list.rare')}</span>
            </span>
          ) : (
            row.name
          ),
      },
      { key: 'unit', title: t('list.unit'), cell: row => <Short text={row.unitName ?? row.unit} /> },
      {
        key: 'post',
        title: t('list.post'),
        cell: row => (row.code === null ? null : <Short text={`${row.code} ${row.codeName ?? ''}`.trim()} />),
      },
      {
        key: 'education',
        field: 'signup.education',
        title: t('list.education'),
        hidden: true,
        cell: row => educations.find(option => option.value === row.education)?.label ?? row.education,
      },
      { key: 'major', field: 'signup.major', title: t('list.major'), cell: row => row.major },
      {
        key: 'autoCheck',
        title: t('list.check'),
        cell: row => (isCheckResult(row.autoCheck) ? <CheckMark result={row.autoCheck} /> : null),
      },
      ...(waits
        ? [
            {
              key: 'wait',
              title: t('list.wait'),
              cell: (row: SignupRow) => (isWaiting(row.examine) ? <Wait minutes={row.waitMinutes} /> : null),
            },
          ]
        : []),
      {
        key: 'examine',
        title: t('list.state'),
        cell: row => <StateTag of={signupMachine} wire={row.examine} />,
      },
      ...(decided
        ? [{ key: 'reason', title: t('list.reason'), width: 220, cell: (row: SignupRow) => <Short text={row.examineRemark} isLong /> }]
        : []),
      ...(waits
        ? [
            {
              key: 'lockedBy',
              title: t('list.holder'),
              cell: (row: SignupRow) => (row.recusal === null ? row.lockedBy : t('list.recused', { why: row.recusal })),
            },
          ]
        : []),
      { key: 'submitTime', title: t('list.submit'), cell: row => minuteOf(row.submitTime), hidden: true },
      { key: 'idCard', field: 'signup.idCard', title: t('list.idCard'), cell: row => row.idCardMask, hidden: true },
      { key: 'version', title: t('list.version'), cell: row => String(row.signVersion), align: 'right', hidden: true },
    ],
    [t, educations, waits, decided],
  )
}

const rowId = (row: SignupRow) => row.id
const rowName = (row: SignupRow) => row.name ?? row.signNo ?? row.id

/** Opens a row wherever it is clicked, except on what does something itself. */
const onRowClick = (event: MouseEvent) => {
  const target = event.target as HTMLElement
  if (target.closest('a, button, input, select, label') !== null || getSelection()?.isCollapsed === false) return
  const id = target.closest('tbody tr')?.querySelector<HTMLElement>('[data-signup]')?.dataset.signup
  if (id !== undefined) goTo(workPath(id))
}

/** J and K walk through the rows, `/` goes to the search. */
const useRowKeys = (box: { readonly current: HTMLDivElement | null }) =>
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (isTyping(event) || box.current === null) return
      if (event.key === '/') {
        event.preventDefault()
        box.current.querySelector<HTMLInputElement>('.search-row input')?.focus()
        return
      }
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
      if (step === 0) return
      const links = [...box.current.querySelectorAll<HTMLAnchorElement>('a[data-signup]')]
      const at = links.indexOf(document.activeElement as HTMLAnchorElement)
      links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [box])

/** Back from a sign-up its row is in sight and has the keyboard: one goes on from there. */
const useCameFrom = (box: { readonly current: HTMLDivElement | null }, examId: string) =>
  useEffect(() => {
    const id = takeOpened(examId)
    if (id !== null) box.current?.querySelector<HTMLAnchorElement>(`a[data-signup="${CSS.escape(id)}"]`)?.focus()
  }, [box, examId])

const List = ({
  examId,
  options,
  onChoose,
  decides,
}: {
  readonly examId: string
  /** States that wait for this person's decision. */
  readonly decides: readonly number[]
  readonly options: Parameters<typeof ChoiceBar>[0]['options']
  readonly onChoose: (id: string) => void
}) => {
  const t = useT(listTexts)
  const { search, setSearch } = usePage()
  const units = useCall('GET /blade-signup/examine/getExamUnits', { examId }, { quiet: true })
  const box = useRef<HTMLDivElement>(null)
  useRowKeys(box)
  useCameFrom(box, examId)
  useEffect(() => {
    const { current: _current, size: _size, ...filters } = Object.fromEntries(search)
    keepQueue(examId, filters, location.pathname + location.search)
  }, [examId, search])
  const state = search.get('examine')
  const columns = useColumns(state === null || state === '' ? null : Number(state))
  const fields = useSearch(usePosts(examId, search.get('unit')))
  const rowActions = useCallback(
    (row: SignupRow) => [
      { key: 'open', label: isWaiting(row.examine) ? t('list.open') : t('list.view'), onRun: () => goTo(workPath(row.id)) },
    ],
    [t],
  )
  const chooseUnit = (unit: string | null) => setSearch({ ...Object.fromEntries(search), unit, current: null })
  const order = search.get('order') === 'submit' ? 'submit' : 'wait'
  const [isStarting, setStarting] = useState(false)
  const own = useSession(session => session.user?.realName ?? '')
  const elsewhere = useWorkElsewhere()
  // The list may show what is decided, or come in another order: what has waited longest is asked for.
  const startFirst = async () => {
    setStarting(true)
    try {
      const first = await longestWaiting({ ...Object.fromEntries(search), examId }, decides, own)
      if ('id' in first) return goTo(workPath(first.id))
      if (first.held > 0) return notify('info', t('list.held', { count: first.held }))
      const next = elsewhere(examId)
      if (next === null) return notify('info', t('list.done'))
      notify('info', t('list.elsewhere', { name: next.examName }))
      goTo(`/examine/list?examId=${next.examId}`)
    } catch (error) {
      notify('error', error instanceof Error ? error.message : '')
    } finally {
      setStarting(false)
    }
  }
  const next = elsewhere(examId)
  const done = (
    <EmptyState
      text={t('list.done')}
      action={
        next === null ? undefined : (
          <NavLink className="button" to={`/examine/list?examId=${next.examId}`}>
            {t('list.done.other', { name: next.examName })}
          </NavLink>
        )
      }
    />
  )
  // Nobody has narrowed the list: it is empty because all is done.
  const isWholeWork =
    decides.includes(Number(state)) && [...search.keys()].every(key => ['examId', 'examine', 'mayTake', 'order', 'size'].includes(key))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a shortcut for the mouse; every row has its link
    <div ref={box} className="review-list" onClick={onRowClick}>
      <CrudPage<SignupRow>
        name="examine"
        isLong
        title={t('title')}
        columns={columns}
        search={fields}
        load={loadSignups}
        fixed={{ examId }}
        rowId={rowId}
        rowName={rowName}
        rowActions={rowActions}
        empty={<EmptyState text={t('list.done')} />}
        emptySearch={isWholeWork ? done : undefined}
        above={
          <>
            <ChoiceBar label={t('exam')} options={options} value={examId} onChoose={onChoose} />
            <UnitChips units={units.data ?? []} chosen={search.get('unit')} onChoose={chooseUnit} />
          </>
        }
        toolbar={() => (
          <>
            {decides.length === 0 ? null : (
              <button type="button" className="button button-primary" disabled={isStarting} onClick={() => void startFirst()}>
                {t('list.startFirst')}
              </button>
            )}
            <select
              className="input review-order"
              aria-label={t('filter.order')}
              value={order}
              onChange={event =>
                setSearch({ ...Object.fromEntries(search), order: event.target.value === 'submit' ? 'submit' : null, current: null })
              }
            >
              <option value="wait">{t('order.wait')}</option>
              <option value="submit">{t('order.submit')}</option>
            </select>
            <NavLink className="button" to={`/examine/photos?examId=${examId}`}>
              {t('list.photos')}
            </NavLink>
            <span className="review-hint">{t('list.keys')}</span>
          </>
        )}
      />
    </div>
  )
}

/** The work list of reviewers (domain 6.1 资格审核). Opened without conditions it shows what waits for the person's level. */
export const Page = () => {
  const t = useT(listTexts)
  const { query, options } = useExams()
  const { search, setSearch, isActive } = usePage()
  const isFresh = search.get('examId') === null
  const can = useCan()
  const isGranted = usePermissionStore(state => state.granted !== null)
  // Which state waits for somebody is known with their rights: an examination in the address before them would pass for a choice without conditions.
  const { value: examId, choose } = useWorkChoice(isGranted ? options : undefined)
  const first = can('examine_first')
  const second = can('examine_second')
  const decides = [...(first ? [1] : []), ...(second ? [2] : [])]
  const waitingFor = first ? '1' : second ? '2' : null
  const open = (id: string) => {
    choose(id)
    if (waitingFor !== null) setSearch({ examId: id, examine: waitingFor })
  }
  useEffect(() => {
    if (isActive() && isGranted && isFresh && examId !== null) setSearch({ examId, examine: search.get('examine') ?? waitingFor })
  }, [isActive, isGranted, isFresh, examId, search, setSearch, waitingFor])
  if (query.isError && options === undefined) return <FailedState text={query.error.message} onRetry={() => void query.refetch()} />
  if (options === undefined || !isGranted) return <PageSkeleton />
  if (examId === null) return <EmptyState text={t('exam.none')} />
  // Its own conditions are on their way into the address: one question to the server, not two.
  if (isFresh) return <PageSkeleton />
  return <List key={examId} examId={examId} options={options} onChoose={open} decides={decides} />
}
