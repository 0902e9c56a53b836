import { lazy, useMemo } from 'react'
import { type VerifiedChangeState, verifiedChangeMachine, verifiedFields } from '#contract/person/verified-change.state.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { RequestPage } from '../requests/request-page.tsx'
import { verifiedChangeTexts } from './texts.ts'
import type { ChangeRow } from './wire.ts'

const DecideDialog = lazy(async () => ({ default: (await import('./decide-dialog.tsx')).DecideDialog }))

const rowName = (row: ChangeRow) => row.realName ?? row.id

/** What candidates ask to change of their verified data (domain 2.3, 3.17). */
export const Page = () => {
  const t = useT(verifiedChangeTexts)
  const columns = useMemo(
    (): readonly Column<ChangeRow>[] => [
      { key: 'realName', field: 'user.realName', title: t('list.person'), cell: row => row.realName },
      { key: 'userCode', title: t('list.userCode'), cell: row => row.userCode },
      { key: 'field', title: t('list.field'), cell: row => t(`field.${row.field}`) },
      { key: 'oldMask', title: t('list.old'), cell: row => row.oldMask },
      { key: 'newMask', title: t('list.new'), cell: row => row.newMask },
      { key: 'reason', title: t('list.reason'), cell: row => row.reason },
      { key: 'proofCount', title: t('list.proofs'), cell: row => row.proofCount },
    ],
    [t],
  )
  return (
    <RequestPage<ChangeRow, VerifiedChangeState>
      name="verified-change"
      texts={verifiedChangeTexts}
      path="/blade-userupdateinfo/userupdateinfo/list"
      right="userupdateinfo_edit"
      columns={columns}
      rowName={rowName}
      machine={verifiedChangeMachine}
      choice={{ key: 'field', label: t('list.field'), options: verifiedFields.map(key => ({ value: key, label: t(`field.${key}`) })) }}
      Dialog={DecideDialog}
    />
  )
}
