import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { healthStates } from '#contract/ticket/health.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { type CrudContext, CrudPage, type ListQuery } from '#web/resource/crud-page.tsx'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { ExportButtons } from '#web/resource/export-buttons.tsx'
import { startExport } from '#web/resource/export-jobs.ts'
import { useExamChoice } from '#web/resource/within.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { StateTag, useStateOptions } from '#web/ui/state-tag.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { downTexts } from './down-texts.ts'

type DownPage = ApiOutput<'GET /blade-ticketNotice/ticketnotice/ticketDownList'>
type DownRow = DownPage['records'][number]

const kinds = ['jkm', 'xcm', 'hsjcbg'] as const
const rowId = (row: DownRow) => row.id
const rowName = (row: DownRow) => row.name

const load = (query: ListQuery, signal: AbortSignal) =>
  api.request<DownPage>({ method: 'GET', path: '/blade-ticketNotice/ticketnotice/ticketDownList', query, signal })

const useColumns = (): readonly Column<DownRow>[] => {
  const t = useT(downTexts)
  return useMemo(
    () => [
      { key: 'ticketNo', field: 'ticket.ticketNo', title: t('down.ticketNo'), cell: row => row.ticketNo },
      { key: 'name', field: 'ticket.name', title: t('down.name'), cell: row => row.name },
      { key: 'paper', title: t('down.paper'), cell: row => row.itemName },
      { key: 'place', title: t('down.place'), cell: row => `${row.siteName} · ${row.roomNo} · ${row.seatNo}` },
      { key: 'first', title: t('down.first'), cell: row => (row.firstDownTime === null ? t('down.no') : minuteOf(row.firstDownTime)) },
      { key: 'count', title: t('down.count'), align: 'right', cell: row => row.downCount },
      {
        key: 'docs',
        field: 'ticket.health',
        title: t('down.docs'),
        cell: row =>
          row.erased
            ? t('down.erased')
            : kinds
                .flatMap(kind => {
                  const link = row[kind]
                  return link === null ? [] : [{ kind, link }]
                })
                .map(({ kind, link }) => (
                  <a key={kind} className="ticket-doc" href={link} target="_blank" rel="noreferrer">
                    {t(`down.${kind}`)}
                  </a>
                )),
      },
      { key: 'issued', title: t('down.issued'), cell: row => (row.healthReportTime === null ? '' : minuteOf(row.healthReportTime)) },
      {
        key: 'state',
        title: t('down.check'),
        cell: row => (row.healthState === null ? '' : <StateTag of={healthStates} wire={row.healthState} />),
      },
    ],
    [t],
  )
}

/** Who has downloaded the ticket and who has not, and the health documents with what the office found. */
export const Page = () => {
  const t = useT(downTexts)
  const states = useStateOptions(healthStates)
  const can = useCan()
  const client = useQueryClient()
  const { examId, bar, none } = useExamChoice(true)
  const columns = useColumns()
  const [bad, setBad] = useState<DownRow | null>(null)
  const check = useCallback(
    async (row: DownRow, state: 1 | 2, remark?: string) => {
      await api.call('POST /blade-ticketNotice/ticketnotice/checkHealth', {
        ids: row.healthId,
        state,
        ...(remark === undefined ? {} : { remark }),
      })
      notify('success', t('down.done'))
      void client.invalidateQueries({ queryKey: ['list', 'ticket-down'] })
    },
    [client, t],
  )
  const mayCheck = can('ticketdown_check')
  const actions = useCallback(
    (row: DownRow): readonly RowAction[] =>
      !mayCheck || row.healthId === '' || row.erased
        ? []
        : [
            { key: 'normal', label: t('down.normal'), onRun: () => void check(row, 1).catch(() => {}) },
            { key: 'bad', label: t('down.bad'), danger: true, onRun: () => setBad(row) },
          ],
    [mayCheck, check, t],
  )
  const download = async ({ query }: CrudContext) => {
    const { keyword, downloaded, state } = query
    const number = (name: string, value: unknown) => (value === undefined ? {} : { [name]: Number(value) })
    const body = { examId, keyword, ...number('downloaded', downloaded), ...number('state', state) }
    await startExport({ method: 'POST', path: '/blade-ticketNotice/ticketnotice/exportTicketDownExcel', body }, t('down.title'))
  }
  if (none || examId === null) return <ExamMissing text={t('down.noExam')} />
  return (
    <>
      <CrudPage<DownRow>
        name="ticket-down"
        title={t('down.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'keyword', label: t('down.keyword') },
          {
            kind: 'select',
            key: 'downloaded',
            label: t('down.downloaded'),
            options: [
              { value: '1', label: t('down.yes') },
              { value: '0', label: t('down.no') },
            ],
          },
          {
            kind: 'select',
            key: 'state',
            label: t('down.check'),
            options: states,
          },
        ]}
        load={load}
        rowId={rowId}
        rowName={rowName}
        rowActions={mayCheck ? actions : undefined}
        above={bar}
        fixed={{ examId }}
        empty={<EmptyState text={t(can('ticket_release') ? 'down.empty' : 'down.empty.other')} />}
        toolbar={context => (can('ticketdown_export') ? <ExportButtons onExport={() => download(context)} /> : null)}
      />
      {bad === null ? null : (
        <ReasonDialog
          title={t('down.bad')}
          lead={t('down.bad.lead', { name: bad.name })}
          label={t('down.bad.reason')}
          missing={t('down.bad.missing')}
          ok={t('down.bad')}
          send={remark => check(bad, 2, remark)}
          onClose={() => setBad(null)}
        />
      )}
    </>
  )
}
