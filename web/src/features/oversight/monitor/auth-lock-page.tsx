import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { CrudPage, listKey } from '#web/resource/crud-page.tsx'
import { useReason } from '#web/resource/own-reason.ts'
import type { Column, RowAction } from '#web/ui/data-table.tsx'
import { ReasonDialog } from '#web/ui/reason-dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { nameOf, rowId, useLoad } from './load.ts'
import { monitorTexts } from './texts.ts'
import { useExport } from './use-export.tsx'

type Row = ApiOutput<'GET /blade-system/auth-lock/page'>['records'][number]
const LockDialog = lazy(async () => ({ default: (await import('./lock-dialog.tsx')).LockDialog }))

const states = ['LOCKED', 'PRE_LOCKED', 'UN_LOCKED'] as const
const tones = { LOCKED: 'refused', PRE_LOCKED: 'waiting', UN_LOCKED: 'closed' } as const

/** Accounts that cannot log in for now, with the way to open them and to shut others. */
export const Page = () => {
  const t = useT(monitorTexts)
  const can = useCan()
  const client = useQueryClient()
  const reason = useReason()
  const load = useLoad<Row>('/blade-system/auth-lock/page')
  const exports = useExport('/blade-system/auth-lock/export', 'authlock_export', t('lock.title'))
  const [opened, setOpened] = useState<Row | 'add' | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: listKey('auth-lock') })
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'account', title: t('col.account'), width: 160, cell: row => row.account },
      { key: 'realName', field: 'user.realName', title: t('col.realName'), cell: row => row.realName },
      { key: 'userType', title: t('col.kind'), cell: row => t(`col.kind.${row.userType as 1 | 2 | 3}`) },
      {
        key: 'lockType',
        title: t('lock.type'),
        cell: row => <StatusTag tone={row.lockType === 'MANUAL' ? 'refused' : 'waiting'} text={t(`lock.type.${row.lockType}`)} />,
      },
      {
        key: 'lockStatus',
        title: t('lock.state'),
        cell: row => <StatusTag tone={tones[row.lockStatus]} text={t(`lock.state.${row.lockStatus}`)} />,
      },
      { key: 'failCount', title: t('lock.fails'), align: 'right', cell: row => row.failCount },
      { key: 'lockBeginTime', title: t('lock.from'), cell: row => minuteOf(row.lockBeginTime) },
      {
        key: 'lockEndTime',
        title: t('lock.until'),
        cell: row =>
          row.lockEndTime === '' ? (row.lockStatus === 'UN_LOCKED' ? '' : t('lock.untilUnlocked')) : endMinuteOf(row.lockEndTime),
      },
      { key: 'lockReason', title: t('lock.reason'), width: 220, cell: row => row.lockReason },
      { key: 'remoteIp', title: t('col.ip'), cell: row => row.remoteIp },
      { key: 'userAgent', title: t('col.agent'), hidden: true, cell: row => row.userAgent },
      { key: 'unlockTime', title: t('lock.unlockTime'), hidden: true, cell: row => minuteOf(row.unlockTime) },
      { key: 'unlockReason', title: t('lock.unlock.reason'), hidden: true, cell: row => reason(row.unlockReason) },
    ],
    [t, reason],
  )
  const actions = useCallback(
    (row: Row): readonly RowAction[] =>
      row.lockStatus === 'UN_LOCKED' ? [] : [{ key: 'unlock', label: t('lock.unlock'), onRun: () => setOpened(row) }],
    [t],
  )
  return (
    <>
      <CrudPage<Row>
        name="auth-lock"
        title={t('lock.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'account', label: t('col.account') },
          {
            kind: 'select',
            key: 'lockType',
            label: t('lock.type'),
            options: (['SYSTEM', 'MANUAL'] as const).map(type => ({ value: type, label: t(`lock.type.${type}`) })),
          },
          {
            kind: 'select',
            key: 'lockStatus',
            label: t('lock.state'),
            options: states.map(state => ({ value: state, label: t(`lock.state.${state}`) })),
          },
        ]}
        isLong
        load={load}
        rowId={rowId}
        rowName={nameOf}
        rowActions={can('user_lock') ? actions : undefined}
        onExport={exports.onExport}
        toolbar={context => (
          <>
            {can('user_lock') ? (
              <button type="button" className="button button-primary" onClick={() => setOpened('add')}>
                {t('lock.add')}
              </button>
            ) : null}
            {exports.toolbar?.(context)}
          </>
        )}
        empty={<EmptyState text={t('lock.empty')} />}
      />
      {opened === null ? null : opened === 'add' ? (
        <Suspense>
          <LockDialog onDone={refresh} onClose={() => setOpened(null)} />
        </Suspense>
      ) : (
        <ReasonDialog
          title={t('lock.unlock')}
          lead={t('lock.unlock.ask', { what: nameOf(opened) })}
          label={t('lock.unlock.reason')}
          missing={t('lock.unlock.missing')}
          ok={t('lock.unlock')}
          send={async reason => {
            await api.call('POST /blade-system/auth-lock/unlock', { id: opened.id, unlockReason: reason }, { quiet: 'fields' })
            notify('success', t('done.ok'))
            await refresh()
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
