import { lazy, useMemo } from 'react'
import { appealKinds } from '#contract/person/appeal.routes.ts'
import { type AppealState, appealMachine } from '#contract/person/appeal.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { RequestPage } from '../requests/request-page.tsx'
import { appealTexts } from './texts.ts'
import type { AppealLine } from './wire.ts'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))

/** Nobody decides on what has not been sent yet. */
const unseen = ['begun'] as const
const rowName = (row: AppealLine) => row.no

/** People whose id number or phone somebody else has, and people who lost their phone. */
export const Page = () => {
  const t = useT(appealTexts)
  const columns = useMemo(
    (): readonly Column<AppealLine>[] => [
      { key: 'no', title: t('list.no'), cell: row => row.no },
      { key: 'kind', title: t('list.kind'), cell: row => t(`kind.${row.kind}`) },
      { key: 'realName', field: 'user.realName', title: t('list.person'), cell: row => row.realName },
      { key: 'idCardMask', field: 'user.idCard', title: t('list.idCard'), cell: row => row.idCardMask },
      { key: 'phoneMask', field: 'user.phone', title: t('list.phone'), cell: row => row.phoneMask },
      { key: 'reason', title: t('list.reason'), cell: row => row.reason },
    ],
    [t],
  )
  return (
    <RequestPage<AppealLine, AppealState>
      name="user-appeal"
      texts={appealTexts}
      path="/blade-userappeal/userappeal/list"
      right="userappeal_edit"
      columns={columns}
      rowName={rowName}
      machine={appealMachine}
      hidden={unseen}
      choice={{ key: 'kind', label: t('list.kind'), options: appealKinds.map(kind => ({ value: kind, label: t(`kind.${kind}`) })) }}
      Dialog={DecideDialog}
    />
  )
}
