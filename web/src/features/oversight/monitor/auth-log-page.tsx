import { useMemo } from 'react'
import { loginResult, loginTone } from '#contract/auth/login-result.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { CrudPage } from '#web/resource/crud-page.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { nameOf, rowId, timeField, useLoad } from './load.ts'
import { monitorTexts } from './texts.ts'
import { useExport } from './use-export.tsx'
import { usePurge } from './use-purge.tsx'

type Row = ApiOutput<'GET /blade-system/auth-log/page'>['records'][number]
const ways = ['password', 'sms_code', 'refresh_token', 'register', 'own_password', 'second_factor', 'unlock'] as const
const wayOf = (grant: string) => ways.find(way => way === grant) ?? 'other'

const tones = { done: 'passed', halfway: 'waiting', failed: 'refused' } as const

/** Every try to log in, and what failed where somebody had to prove once more who they are. */
export const Page = () => {
  const t = useT(monitorTexts)
  const label = useLabel()
  const load = useLoad<Row>('/blade-system/auth-log/page')
  const exports = useExport('/blade-system/auth-log/export', 'authlog_export', t('login.title'))
  const purge = usePurge('login', 'auth-log')
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'loginTime', title: t('login.time'), cell: row => row.loginTime },
      { key: 'account', title: t('col.account'), width: 160, cell: row => row.account },
      { key: 'realName', field: 'user.realName', title: t('col.realName'), cell: row => row.realName },
      { key: 'grantType', title: t('login.grant'), cell: row => t(`login.grant.${wayOf(row.grantType)}`) },
      {
        key: 'result',
        title: t('login.result'),
        cell: row => <StatusTag tone={tones[loginTone(row.result)]} text={label(loginResult(row.result))} />,
      },
      { key: 'remoteIp', title: t('col.ip'), cell: row => row.remoteIp },
      { key: 'userAgent', title: t('col.agent'), hidden: true, cell: row => row.userAgent },
    ],
    [t, label],
  )
  return (
    <>
      <CrudPage<Row>
        name="auth-log"
        title={t('login.title')}
        columns={columns}
        search={[
          { kind: 'text', key: 'account', label: t('col.account') },
          {
            kind: 'select',
            key: 'ok',
            label: t('login.result'),
            options: [
              { value: '1', label: t('login.ok') },
              { value: '0', label: t('login.failed') },
            ],
          },
          timeField(t('login.time')),
          { kind: 'text', key: 'remoteIp', label: t('col.ip') },
        ]}
        isLong
        load={load}
        rowId={rowId}
        rowName={nameOf}
        onExport={exports.onExport}
        toolbar={context => (
          <>
            {exports.toolbar?.(context)}
            {purge.button}
          </>
        )}
        empty={<EmptyState text={t('login.empty')} />}
      />
      {purge.dialog}
    </>
  )
}
