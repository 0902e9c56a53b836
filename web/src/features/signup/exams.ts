import { useMemo } from 'react'
import { useCall } from '#web/kernel/query.ts'
import type { Option } from '#web/resource/use-dict.ts'

/** Released examinations, for the choice above the list. */
export const useExams = () => {
  const query = useCall('GET /blade-exam/examination/page', { state: 1, current: 1, size: 200 }, { quiet: true, staleTimeMs: 60_000 })
  const options = useMemo(() => query.data?.records.map((exam): Option => ({ value: exam.id, label: exam.examName })), [query.data])
  return { query, options }
}

/** Posts of an examination for a filter; those of one unit when one is chosen. */
export const usePosts = (examId: string, unit: string | null): readonly Option[] => {
  const { data } = useCall('GET /blade-exam/examination/getAllTypeCode', { examId }, { quiet: true, staleTimeMs: 5 * 60_000 })
  return useMemo(
    () =>
      (data ?? [])
        .filter(each => unit === null || each.value === unit)
        .flatMap(each => each.children.flatMap(type => type.children))
        .map(post => ({ value: post.value, label: post.label.includes(post.value) ? post.label : `${post.value} ${post.label}` })),
    [data, unit],
  )
}
