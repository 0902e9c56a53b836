import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { payAlarm } from '#contract/pay/pay.resources.ts'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import type { Row } from '#web/resource/fields.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { RowAction } from '#web/ui/data-table.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { payTexts } from './texts.ts'

const ReasonDialog = lazy(async () => ({ default: (await import('#web/ui/reason-dialog.tsx')).ReasonDialog }))

/** What a person of finance has to look at; closed by saying what was done. */
export const Page = () => {
  const t = useT(payTexts)
  const can = useCan()
  const client = useQueryClient()
  const [closed, setClosed] = useState<Row | null>(null)
  const mayClose = can('payalarm_close')
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      mayClose && Number(row.state) === 0 ? [{ key: 'close', label: t('alarm.close'), onRun: () => setClosed(row) }] : [],
    [mayClose, t],
  )
  const cells = useMemo(
    () => ({
      state: (row: Row) =>
        Number(row.state) === 0 ? (
          <StatusTag tone="waiting" text={t('alarm.state.0')} />
        ) : (
          <StatusTag tone="closed" text={t('alarm.state.1')} />
        ),
    }),
    [t],
  )
  const send = async (remark: string) => {
    await api.call('POST /blade-exam/examination/closePayAlarm', { id: closed?.id ?? '', remark }, { quiet: 'fields' })
    notify('success', t('alarm.closed'))
    await client.invalidateQueries({ queryKey: listKey(payAlarm.name) })
  }
  return (
    <>
      <ResourcePage
        resource={payAlarm}
        cells={cells}
        rowActions={actions}
        searchOptions={{
          state: [
            { value: '0', label: t('alarm.state.0') },
            { value: '1', label: t('alarm.state.1') },
          ],
        }}
      />
      {closed === null ? null : (
        <Suspense>
          <ReasonDialog
            title={t('alarm.close')}
            lead={t('alarm.lead', { what: String(closed.kind), detail: String(closed.detail) })}
            label={t('alarm.remark')}
            missing={t('alarm.remark.missing')}
            ok={t('alarm.close')}
            send={send}
            onClose={() => setClosed(null)}
          />
        </Suspense>
      )}
    </>
  )
}
