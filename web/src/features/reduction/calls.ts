import { type ApiOutput, api } from '#web/kernel/api.ts'
import type { ListQuery } from '#web/resource/crud-page.tsx'
import type { PageOf } from '#web/resource/page-of.ts'

export type Reductions = ApiOutput<'GET /blade-signup/signup/getPostReductionList'>
export type ReducedPost = Reductions['posts'][number]
export type ListedName = ApiOutput<'GET /blade-signup/signup/postReductionNamePage'>['records'][number]

const matches = (post: ReducedPost, { keyword, decided }: ListQuery): boolean => {
  const word = String(keyword ?? '').toLowerCase()
  const state = post.decision === null ? 'none' : String(post.decision.state)
  return (
    (word === '' || `${post.code} ${post.codeName} ${post.unitName}`.toLowerCase().includes(word)) &&
    (decided === undefined || String(decided) === state)
  )
}

/** The server answers all posts of an examination at once; a list shows a page of those that meet its conditions. */
export const pagePosts = ({ posts }: Reductions, query: ListQuery): PageOf<ReducedPost> => {
  const [current, size] = [Number(query.current ?? 1), Number(query.size ?? 10)]
  const found = posts.filter(post => matches(post, query))
  return { records: found.slice((current - 1) * size, current * size), total: found.length }
}

export const readPosts = ({ examId, all }: ListQuery, signal?: AbortSignal): Promise<Reductions> =>
  api.request<Reductions>({
    method: 'GET',
    path: '/blade-signup/signup/getPostReductionList',
    query: { examId, ...(all === undefined ? {} : { all }) },
    quiet: true,
    ...(signal === undefined ? {} : { signal }),
  })

export const loadPosts = async (query: ListQuery, signal: AbortSignal): Promise<PageOf<ReducedPost>> =>
  pagePosts(await readPosts(query, signal), query)

export const loadNames = (query: ListQuery, signal: AbortSignal) =>
  api.request<PageOf<ListedName>>({ method: 'GET', path: '/blade-signup/signup/postReductionNamePage', query, signal, quiet: true })
