import { type ApiOutput, api } from '../kernel/api.ts'
import type { ListQuery } from './crud-page.tsx'

export type SignupRow = ApiOutput<'GET /blade-signup/examine/getExamineList'>['records'][number]

/** Sign-ups of an examination for a list, whose own place tells what failed. */
export const loadSignups = (query: ListQuery, signal: AbortSignal) =>
  api.request<ApiOutput<'GET /blade-signup/examine/getExamineList'>>({
    method: 'GET',
    path: '/blade-signup/examine/getExamineList',
    query,
    signal,
    quiet: true,
  })
