import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, listKey } from '#web/resource/crud-page.tsx'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { namesAndCount } from '#web/ui/dialog.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { TickedButton } from '#web/ui/ticked-button.tsx'
import { nameOf, rowId, useLoad } from './load.ts'
import { monitorTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-system/online/page'>['records'][number]

/** Sessions that are open, and the way to end them. */
export const Page = () => {
  const t = useT(monitorTexts)
  const can = useCan()
  const client = useQueryClient()
  const load = useLoad<Row>('/blade-system/online/page')
  const [kicked, setKicked] = useState<readonly Row[] | null>(null)
  const [known] = useState(() => new Map<string, Row>())
  const mayKick = can('online_kick')
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'account', title: t('col.account'), width: 140, cell: row => row.account },
      {
        key: 'realName',
        field: 'user.realName',
        title: t('col.realName'),
        width: 160,
        cell: row => (
          <>
            {row.realName} {row.isOwn === 1 ? <StatusTag tone="active" text={t('online.own')} /> : null}
            {row.locked === 1 ? <StatusTag tone="waiting" text={t('online.locked')} /> : null}
          </>
        ),
      },
      { key: 'roleName', title: t('col.roles'), width: 180, cell: row => listOf(row.roleName.split(',')) },
      { key: 'remoteIp', title: t('col.ip'), cell: row => row.remoteIp },
      { key: 'loginTime', title: t('login.time'), cell: row => minuteOf(row.loginTime) },
      { key: 'activeTime', title: t('online.active'), cell: row => minuteOf(row.activeTime) },
      { key: 'userType', title: t('col.kind'), hidden: true, cell: row => t(`col.kind.${row.userType as 1 | 2 | 3}`) },
      { key: 'userAgent', title: t('col.agent'), hidden: true, cell: row => row.userAgent },
    ],
    [t],
  )
  const loadKnown = useCallback(
    async (...args: Parameters<typeof load>) => {
      const page = await load(...args)
      for (const row of page.records) known.set(row.id, row)
      return page
    },
    [load, known],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      row.isOwn === 1 ? [] : [{ key: 'kick', label: t('online.kick'), danger: true, onRun: () => setKicked([row]) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="online"
        title={t('online.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'account', label: t('col.account') },
          { kind: 'text', key: 'realName', field: 'user.realName', label: t('col.realName') },
          {
            kind: 'select',
            key: 'userType',
            label: t('col.kind'),
            options: ([1, 2, 3] as const).map(kind => ({ value: String(kind), label: t(`col.kind.${kind}`) })),
          },
        ]}
        isLong
        load={loadKnown}
        rowId={rowId}
        rowName={nameOf}
        rowActions={mayKick ? actions : undefined}
        selectable={mayKick}
        empty={<EmptyState text={t('online.empty')} />}
        toolbar={({ selected, clearSelection }) =>
          mayKick ? (
            <TickedButton
              count={selected.size}
              onClick={() => {
                const rows = [...selected].flatMap(id => known.get(id) ?? [])
                if (rows.length === 0) return notify('warning', t('online.none'))
                clearSelection()
                setKicked(rows)
              }}
            >
              {t('online.kick')}
            </TickedButton>
          ) : null
        }
      />
      {kicked === null ? null : (
        <ReasonDialog
          title={t('online.kick')}
          lead={t('online.kick.ask', { what: namesAndCount(kicked.map(nameOf)) })}
          label={t('online.kick.reason')}
          missing={t('online.kick.missing')}
          ok={t('online.kick')}
          send={async reason => {
            const ids = kicked.map(rowId).join(',')
            await api.call('POST /blade-system/online/kick', { ids, reason }, { quiet: 'fields' })
            notify('success', t('done.ok'))
            await client.invalidateQueries({ queryKey: listKey('online') })
          }}
          onClose={() => setKicked(null)}
        />
      )}
    </>
  )
}
