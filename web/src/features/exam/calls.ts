import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import type { ExamDetail, ExamRow, LibraryFile, LibraryItem, Page, PostRow, ReleaseProblem, SignItem } from './wire.ts'

const most = 200

/** Under which queries of one examination are kept. */
export const examKey = (id: string): readonly unknown[] => ['exam', id]

export const examPage = (query: object, signal?: AbortSignal): Promise<Page<ExamRow>> =>
  api.request({ method: 'GET', path: '/blade-exam/examination/page', query, ...(signal === undefined ? {} : { signal }) })

const detailOf = (id: string | null, signal: AbortSignal) =>
  api.request<ExamDetail>({ method: 'GET', path: '/blade-exam/examination/detail', query: { id }, signal })

export const useExam = (id: string | null) =>
  useQuery({
    queryKey: examKey(id ?? ''),
    queryFn: ({ signal }) => detailOf(id, signal),
    enabled: id !== null,
    // What is edited must be what is stored.
    staleTime: 0,
    refetchOnMount: 'always',
  })
/** The number that a new examination of a year may have; null when all are taken. */
export const freeNoOf = (year: number): Promise<number | null> =>
  api.call('GET /blade-exam/examination/freeNo', { year }, { quiet: true }).then(({ examNo }) => examNo)

/** The examination as it is stored now. */
export const fetchExam = (client: QueryClient, id: string): Promise<ExamDetail> =>
  client.fetchQuery({ queryKey: examKey(id), queryFn: ({ signal }) => detailOf(id, signal), staleTime: 0 })

/** The posts of an examination, in their order. */
export const postsOf = (examId: string | null, signal?: AbortSignal): Promise<Page<PostRow>> =>
  api.request({
    method: 'GET',
    path: '/blade-exam/examination/getTypeCodeList',
    query: { examId, current: 1, size: most },
    ...(signal === undefined ? {} : { signal }),
  })

/** Says nothing of a refusal: the wizard asks what to do about another person's save, and shows the fields of any other. */
export const saveExam = (body: object): Promise<{ readonly id: string }> =>
  api.request({ method: 'POST', path: '/blade-exam/examination/submit', body, quiet: true })

export const removeExam = (id: string): Promise<unknown> =>
  api.request({ method: 'POST', path: '/blade-exam/examination/remove', query: { ids: id } })

/** What keeps an examination from being released, and what is only worth a second look. */
export interface ReleaseCheck {
  readonly problems: readonly ReleaseProblem[]
  readonly warnings: readonly ReleaseProblem[]
}
const releaseCall = async (body: { readonly id: string; readonly dryRun?: 1 }): Promise<ReleaseCheck> => {
  try {
    return await api.call('POST /blade-exam/examination/releaseExam', body, { quiet: true })
  } catch (error) {
    const problems = isApiError(error) ? (error.data as { problems?: readonly ReleaseProblem[] } | undefined)?.problems : undefined
    if (problems !== undefined && problems.length > 0) return { problems, warnings: [] }
    if (isApiError(error) && error.status !== 401 && error.status !== 423)
      return { problems: [{ path: '', msg: error.message }], warnings: [] }
    throw error
  }
}
/** The check of a release without one. */
export const checkRelease = (id: string): Promise<ReleaseCheck> => releaseCall({ id, dryRun: 1 })
/** @returns what keeps it from being released; empty when it has been */
export const releaseExam = async (id: string): Promise<readonly ReleaseProblem[]> => (await releaseCall({ id })).problems

export const withdrawExam = (id: string): Promise<unknown> =>
  api.request({ method: 'POST', path: '/blade-exam/examination/releaseExam', body: { id, state: 0 } })

/** 2 close, 1 open again, 3 archive (domain 4.1). */
export const closeExam = (of: { id: string; state: 1 | 2 | 3; reason: string; confirmCode: string }): Promise<unknown> =>
  api.request({ method: 'POST', path: '/blade-exam/examination/closeExam', body: of, quiet: 'fields' })

/** The form of an examination as it is stored. */
export const useFormItems = (examId: string | null) =>
  useQuery({
    queryKey: ['form-items', examId],
    queryFn: ({ signal }) =>
      api.request<Page<SignItem>>({
        method: 'GET',
        path: '/blade-signitems/signitems/list',
        query: { examId, current: 1, size: most },
        signal,
      }),
    enabled: examId !== null,
    staleTime: 0,
  })
export const useLibraryItems = () =>
  useQuery({
    queryKey: ['library-items'],
    queryFn: ({ signal }) =>
      api.request<Page<LibraryItem>>({ method: 'GET', path: '/blade-items/items/list', query: { current: 1, size: most }, signal }),
    // The library has changed where somebody comes from it.
    staleTime: 0,
  })
export const useLibraryFiles = () =>
  useQuery({
    queryKey: ['library-files'],
    queryFn: ({ signal }) =>
      api.request<Page<LibraryFile>>({ method: 'GET', path: '/blade-files/files/list', query: { current: 1, size: most }, signal }),
    staleTime: 0,
  })
