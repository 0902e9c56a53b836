import { useQueries } from '@tanstack/react-query'
import { type ExamRow, useExamRows } from '#web/resource/exams.ts'
import { api } from '../../../kernel/api.ts'
import type { Label } from '../../../kernel/i18n/index.ts'
import { useCan } from '../../../kernel/permission.ts'
import { dueState, ofState } from '../dashboard/figures.ts'
import { homeTexts } from './texts.ts'

type Key = keyof typeof homeTexts.zh
const label = (key: Key): Label => ({ zh: homeTexts.zh[key], en: homeTexts.en[key] })

export interface ToDo {
  readonly key: string
  readonly what: Label
  /** What it belongs to; null when it belongs to no examination. */
  readonly exam: string | null
  readonly count: number
  readonly to: string
  /** Until when, `yyyy-MM-dd HH:mm:ss`. */
  readonly until: string | null
  readonly untilWhat: Label
}
interface Ask extends Omit<ToDo, 'count'> {
  readonly count: (signal: AbortSignal) => Promise<number>
}

/** Examinations that are looked through; those of the server's first places. */
const askedExams = 5

const waitingOf = (examId: string, examine: 1 | 2) => async (signal: AbortSignal) =>
  (await api.call('GET /blade-signup/examine/getExamineList', { examId, examine, current: 1, size: 1 }, { signal, quiet: true })).total

const duesOf = (examId: string) => async (signal: AbortSignal) =>
  ofState(await api.call('GET /blade-signup/statistics/getPayByState', { examId }, { signal, quiet: true }), dueState.due).num

const asksOf = (exam: ExamRow, can: (code: string) => boolean): readonly Ask[] => {
  const list = `/examine/list?examId=${exam.id}`
  const of = { exam: exam.examName }
  return [
    ...([1, 2] as const).flatMap(level =>
      can(level === 1 ? 'examine_first' : 'examine_second')
        ? [
            {
              ...of,
              key: `${exam.id}-level${level}`,
              what: label(level === 1 ? 'home.todo.first' : 'home.todo.second'),
              to: `${list}&examine=${level}`,
              until: exam.examineEnd,
              untilWhat: label('home.examineEnd'),
              count: waitingOf(exam.id, level),
            },
          ]
        : [],
    ),
    ...(can('dashboard_pay')
      ? [
          {
            ...of,
            key: `${exam.id}-due`,
            what: label('home.todo.due'),
            to: `/wel/dashboard?examId=${exam.id}`,
            until: exam.payEnd,
            untilWhat: label('home.payEnd'),
            count: duesOf(exam.id),
          },
        ]
      : []),
  ]
}

/** Does this person's work hang on examinations? */
export const worksOnExams = (can: (code: string) => boolean): boolean =>
  can('examine_first') || can('examine_second') || can('dashboard_pay') || can('examination_release')

/** What waits for this person, as far as the server can tell; only what is more than nothing. */
export const useToDos = () => {
  const can = useCan()
  const works = worksOnExams(can)
  const exams = useExamRows(works)
  const rows = exams.data?.records ?? []
  const released = rows.filter(exam => exam.state === 1).slice(0, askedExams)
  const asks = released.flatMap(exam => asksOf(exam, can))
  const counts = useQueries({
    queries: asks.map(ask => ({
      queryKey: ['home', 'todo', ask.key],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask.count(signal),
      staleTime: 30_000,
    })),
  })
  const drafts = can('examination_release') ? rows.filter(exam => exam.state === 0).length : 0
  const found = asks.flatMap(({ count: _count, ...ask }, index): readonly ToDo[] => {
    const count = counts[index]?.data ?? 0
    return count > 0 ? [{ ...ask, count }] : []
  })
  const draftToDo: ToDo = {
    key: 'drafts',
    what: label('home.todo.draft'),
    exam: null,
    count: drafts,
    to: '/exam/examination?state=0',
    until: null,
    untilWhat: label('home.signEnd'),
  }
  return {
    works,
    toDos: drafts > 0 ? [...found, draftToDo] : found,
    isLoading: works && (exams.isPending || counts.some(count => count.isPending)),
    isFailed: exams.isError || counts.some(count => count.isError),
    retry: () => {
      if (exams.isError) void exams.refetch()
      for (const count of counts) if (count.isError) void count.refetch()
    },
  }
}
