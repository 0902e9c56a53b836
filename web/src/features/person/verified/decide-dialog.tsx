import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { DecisionDialog, ProofList } from '../requests/decision.tsx'
import type { DecideProps } from '../requests/request-page.tsx'
import { twoPersonTexts } from '../requests/two-person-texts.ts'
import { verifiedChangeTexts } from './texts.ts'
import type { ChangeRow } from './wire.ts'

/** One request beside its proofs, and the decision while it waits. */
export const DecideDialog = ({ row, onClose, onDone }: DecideProps<ChangeRow>) => {
  const t = useT(verifiedChangeTexts)
  const p = useT(twoPersonTexts)
  const detail = useQuery({
    queryKey: ['verified-change-detail', row.id],
    queryFn: () => api.call('GET /blade-userupdateinfo/userupdateinfo/detail', { id: row.id }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const field = t(`field.${row.field}`)
  const decide = async (isPassed: boolean, remark: string, document: string): Promise<string> => {
    const shown = isPassed && document !== '' ? { document } : {}
    const sent = { id: row.id, state: isPassed ? 1 : 2, remark, ...shown }
    const done = await api.call('POST /blade-userupdateinfo/userupdateinfo/submit', sent, { quiet: 'fields' })
    if (done.state === 0) return p('two.done')
    return isPassed ? t('dialog.passed', { name: row.realName ?? '', field }) : t('dialog.refused')
  }
  return (
    <DecisionDialog
      texts={verifiedChangeTexts}
      row={row}
      waits={row.state === 0}
      lead={t('dialog.lead')}
      subject={`change-${row.id}`}
      facts={[
        { key: 'person', label: t('list.person'), value: row.realName },
        { key: 'account', label: t('list.account'), value: row.account },
        { key: 'userCode', label: t('list.userCode'), value: row.userCode },
        { key: 'field', label: t('list.field'), value: field },
        { key: 'old', label: t('list.old'), value: row.oldMask },
        { key: 'new', label: t('list.new'), value: <strong>{detail.data?.newValue ?? row.newMask}</strong> },
      ]}
      above={<h3>{t('dialog.proofs')}</h3>}
      detail={detail}
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      {({ proofs }) => <ProofList proofs={proofs} openLabel={name => t('dialog.open', { name })} />}
    </DecisionDialog>
  )
}
