import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Resource } from '#contract/kernel/resource.ts'
import { payRefund } from '#contract/pay/refund.resource.ts'
import { api } from '#web/kernel/api.ts'
import { yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { FieldText } from '#web/resource/field-text.tsx'
import type { Row } from '#web/resource/fields.ts'
import { useReason } from '#web/resource/own-reason.ts'
import { Timeline } from '#web/ui/timeline.tsx'
import { fenOfRow } from './due-rules.ts'
import { eventTones, type MoneyLine } from './money-course.ts'
import { objectTexts } from './object-texts.ts'

const most = 50
/** Everything of one page about money, so that a change on it asks for all of it anew. */
const pageKey = 'money'

/** One row of a noun of money. */
export const useMoneyRow = (resource: Resource, id: string) =>
  useQuery({
    queryKey: [pageKey, resource.name, id],
    queryFn: ({ signal }) => api.request<Row>({ method: 'GET', path: `${resource.basePath}/detail`, query: { id }, signal, quiet: true }),
    staleTime: 0,
  })
/** What belongs to a due, of another noun; empty for who may not list it. */
export const useMoneyRows = (resource: Resource, payId: string | null, may: boolean): readonly Row[] =>
  useQuery({
    queryKey: [pageKey, resource.name, 'of', payId],
    queryFn: ({ signal }) =>
      api.request<{ readonly records: readonly Row[] }>({
        method: 'GET',
        path: `${resource.basePath}/list`,
        query: { payId, current: 1, size: most },
        signal,
        quiet: true,
      }),
    enabled: may && payId !== null,
    staleTime: 0,
  }).data?.records ?? []

export const useRefreshMoney = (): (() => void) => {
  const client = useQueryClient()
  return useCallback(() => {
    void client.invalidateQueries({ queryKey: [pageKey] })
    void client.invalidateQueries({ queryKey: ['list'] })
  }, [client])
}

export const Course = ({ lines }: { readonly lines: readonly MoneyLine[] }) => {
  const t = useT(objectTexts)
  const say = useReason()
  return (
    <Timeline
      entries={lines.map(({ key, event, time, amount, who, detail }) => ({
        key,
        time,
        tone: eventTones[event] ?? 'draft',
        title: t(`event.${event}`, { amount: yuanOf(amount) }),
        detail: [who, say(detail)].filter(Boolean).join(' · ') || undefined,
      }))}
    />
  )
}

/** Yuan with their unit out of the fen of a row; nothing where there is none. */
export const Yuan = ({ row, name }: { readonly row: Row; readonly name: string }) => {
  const t = useT(objectTexts)
  return row[name] === null || row[name] === undefined ? '-' : t('yuan', { amount: yuanOf(fenOfRow(row, name)) })
}

export const RefundState = ({ row }: { readonly row: Row }) => <FieldText field={payRefund.fields.state} value={row.state} />
