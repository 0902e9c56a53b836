import { useMemo } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { timeField } from './load.ts'
import { LogPage } from './log-page.tsx'
import { logTexts } from './log-texts.ts'
import { monitorTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-log/usual/list'>['records'][number]
const levels = ['debug', 'info', 'warn', 'error'] as const
const tones = { debug: 'closed', info: 'active', warn: 'waiting', error: 'refused' } as const
const levelOf = (text: string) => levels.find(level => level === text) ?? 'info'
const rowName = (row: Row) => `${row.logId} ${row.createTime}`

/** JSON as it is read; what is none stays a text. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const Detail = ({ id, ofTenant, onClose }: { readonly id: string; readonly ofTenant?: string; readonly onClose: () => void }) => {
  const t = useT(logTexts)
  const m = useT(monitorTexts)
  const line = useCall('GET /blade-log/usual/detail', { id, ...(ofTenant ? { ofTenant } : {}) })
  return (
    <ActionDialog title={t('usual.view')} size="drawer" onClose={onClose}>
      <Loaded query={line} skeletonRows={5}>
        {of => (
          <Facts
            items={[
              { key: 'time', label: m('col.time'), value: of.createTime },
              { key: 'level', label: t('usual.level'), value: t(`usual.level.${levelOf(of.logLevel)}`) },
              { key: 'from', label: t('usual.id'), value: of.logId },
              {
                key: 'data',
                label: t('usual.data'),
                value: of.logData === '' ? '-' : <pre className="log-text">{pretty(of.logData)}</pre>,
              },
              { key: 'host', label: t('log.host'), value: of.serverHost },
            ]}
          />
        )}
      </Loaded>
    </ActionDialog>
  )
}

/** What the program says about its own work. */
export const Page = () => {
  const t = useT(logTexts)
  const m = useT(monitorTexts)
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      { key: 'createTime', title: m('col.time'), sortBy: 'createTime', cell: row => row.createTime },
      {
        key: 'logLevel',
        title: t('usual.level'),
        cell: row => <StatusTag tone={tones[levelOf(row.logLevel)]} text={t(`usual.level.${levelOf(row.logLevel)}`)} />,
      },
      { key: 'logId', title: t('usual.id'), width: 180, cell: row => row.logId },
      { key: 'logData', title: t('usual.data'), width: 480, cell: row => row.logData },
      { key: 'serverHost', title: t('log.host'), hidden: true, cell: row => row.serverHost },
    ],
    [t, m],
  )
  return (
    <LogPage<Row>
      kind="usual"
      title={t('usual.title')}
      columns={columns}
      rowName={rowName}
      search={[
        {
          kind: 'select',
          key: 'logLevel',
          label: t('usual.level'),
          options: levels.map((level, i) => ({ value: String(i + 1), label: t(`usual.level.${level}`) })),
        },
        { kind: 'text', key: 'logId', label: t('usual.id') },
        timeField(m('col.time')),
        { kind: 'text', key: 'logData', label: t('usual.data') },
        { kind: 'text', key: 'serverHost', label: t('log.host') },
      ]}
      detail={line => <Detail {...line} />}
      empty={t('usual.empty')}
    />
  )
}
