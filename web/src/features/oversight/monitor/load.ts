import { useCallback } from 'react'
import { api } from '#web/kernel/api.ts'
import type { ListQuery } from '#web/resource/crud-page.tsx'
import type { PageOf } from '#web/resource/page-of.ts'
import type { SearchField } from '#web/resource/search-row.tsx'

/** Reads a page of a list of this feature. */
export const useLoad = <Row>(path: string) =>
  useCallback(
    (query: ListQuery, signal: AbortSignal) => api.request<PageOf<Row>>({ method: 'GET', path, query, signal, quiet: true }),
    [path],
  )

/** From and to, as every list here asks for them. */
export const timeField = (label: string): SearchField => ({ kind: 'range', key: 'time', label, from: 'from', to: 'to', of: 'instant' })
export const rowId = (row: { readonly id: string }): string => row.id
export const nameOf = (row: { readonly account: string; readonly realName: string }): string => row.realName || row.account
