import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { DecisionDialog, ProofList } from '../requests/decision.tsx'
import type { DecideProps } from '../requests/request-page.tsx'
import { twoPersonTexts } from '../requests/two-person-texts.ts'
import { appealTexts } from './texts.ts'
import type { AppealLine } from './wire.ts'
import './appeal.css'

/** One appeal beside its proofs and whoever has the number now, and the decision while it waits. */
export const DecideDialog = ({ row, onClose, onDone }: DecideProps<AppealLine>) => {
  const t = useT(appealTexts)
  const p = useT(twoPersonTexts)
  const detail = useQuery({
    queryKey: ['user-appeal-detail', row.id],
    queryFn: () => api.call('GET /blade-userappeal/userappeal/detail', { id: row.id }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const waits = row.state === 1
  const decide = async (isPassed: boolean, remark: string, document: string): Promise<string> => {
    const shown = isPassed && document !== '' ? { document } : {}
    const sent = { id: row.id, state: isPassed ? 2 : 3, remark, ...shown }
    const done = await api.call('POST /blade-userappeal/userappeal/decide', sent, { quiet: 'fields' })
    if (done.state === 1) return p('two.done')
    return t(isPassed ? 'dialog.passed' : 'dialog.refused', { no: row.no })
  }
  return (
    <DecisionDialog
      texts={appealTexts}
      row={row}
      waits={waits}
      lead={t(`effect.${row.kind}`)}
      subject={`appeal-${row.id}`}
      facts={[
        { key: 'no', label: t('list.no'), value: row.no },
        { key: 'kind', label: t('list.kind'), value: t(`kind.${row.kind}`) },
        { key: 'person', label: t('list.person'), value: <strong>{row.realName}</strong> },
        { key: 'idCard', label: t('list.idCard'), value: <strong>{detail.data?.idCard ?? row.idCardMask}</strong> },
        { key: 'phone', label: t('list.phone'), value: row.phoneMask },
      ]}
      detail={detail}
      decide={decide}
      onClose={onClose}
      onDone={onDone}
    >
      {({ proofs, holders, signups }) => (
        <>
          {waits ? (
            <>
              <h3>{t('dialog.holders')}</h3>
              <ul className="appeal-holders">
                {holders.map(({ userId, realName, account, idCardMask, phoneMask, registered }) => (
                  <li key={userId}>
                    {t('dialog.holder', {
                      name: realName,
                      account,
                      idCard: idCardMask || '-',
                      phone: phoneMask || '-',
                      time: minuteOf(registered),
                    })}
                  </li>
                ))}
                {holders.length === 0 ? <li>{t('dialog.nobody')}</li> : null}
              </ul>
            </>
          ) : null}
          {signups.length > 0 ? (
            <>
              <h3>{t('dialog.signups')}</h3>
              <ul className="appeal-holders">
                {signups.map(({ signNo, examName, realName }) => (
                  <li key={signNo}>{t('dialog.signup', { exam: examName, no: signNo, name: realName })}</li>
                ))}
              </ul>
            </>
          ) : null}
          <h3>{t('dialog.proofs')}</h3>
          <ProofList proofs={proofs} openLabel={name => t('dialog.open', { name })} />
        </>
      )}
    </DecisionDialog>
  )
}
