import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog, type DialogAction } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { appealTexts } from './texts.ts'
import type { AppealLine } from './wire.ts'
import './appeal.css'

interface Props {
  readonly row: AppealLine
  readonly onClose: () => void
  /** Asks for the rows anew. */
  readonly onDone: () => void
}

/** One appeal beside its proofs and whoever has the number now, and the decision while it waits. */
export const DecideDialog = ({ row, onClose, onDone }: Props) => {
  const t = useT(appealTexts)
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const detail = useQuery({
    queryKey: ['user-appeal-detail', row.id],
    queryFn: () => api.call('GET /blade-userappeal/userappeal/detail', { id: row.id }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const waits = row.state === 1
  const decide = async (state: 2 | 3): Promise<boolean> => {
    const text = remark.trim()
    setWrong(state === 3 && text === '' ? t('dialog.remark.need') : undefined)
    if (state === 3 && text === '') return false
    try {
      await api.call('POST /blade-userappeal/userappeal/decide', { id: row.id, state, remark: text }, { quiet: 'fields' })
      notify('success', t(state === 2 ? 'dialog.passed' : 'dialog.refused', { no: row.no }))
      onDone()
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  const actions: readonly DialogAction[] = [
    { label: t('dialog.refuse'), tone: 'danger', run: () => decide(3) },
    // Only what was seen beside its proofs can be approved.
    { label: t('dialog.pass'), tone: 'primary', disabled: detail.data === undefined, run: () => decide(2) },
  ]
  return (
    <ActionDialog
      title={t(waits ? 'dialog.title' : 'dialog.view')}
      size="two"
      {...(waits ? { actions, hasChanges: () => remark !== '' } : {})}
      onClose={onClose}
    >
      {waits ? <p className="dialog-lead">{t(`effect.${row.kind}`)}</p> : null}
      <Facts
        boxed
        items={[
          { key: 'no', label: t('list.no'), value: row.no },
          { key: 'kind', label: t('list.kind'), value: t(`kind.${row.kind}`) },
          { key: 'person', label: t('list.person'), value: <strong>{row.realName}</strong> },
          { key: 'idCard', label: t('list.idCard'), value: <strong>{detail.data?.idCard ?? row.idCardMask}</strong> },
          { key: 'phone', label: t('list.phone'), value: row.phoneMask },
          { key: 'reason', label: t('list.reason'), value: row.reason },
          { key: 'time', label: t('list.createTime'), value: minuteOf(row.createTime) },
          ...(waits
            ? []
            : [
                { key: 'checkUser', label: t('list.checkUser'), value: row.checkUser },
                { key: 'checkTime', label: t('list.checkTime'), value: minuteOf(row.checkTime) },
                { key: 'remark', label: t('list.remark'), value: row.remark },
              ]),
        ]}
      />
      <Loaded query={detail} skeletonRows={3}>
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
            <ul className="appeal-proofs">
              {proofs.map(proof => (
                <li key={proof.fileId}>
                  <a href={proof.link} target="_blank" rel="noreferrer" aria-label={t('dialog.open', { name: proof.name })}>
                    {proof.mime.startsWith('image/') ? <img src={proof.link} alt="" /> : null}
                    <span>{proof.name}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {waits ? (
        <LabelledInput label={t('dialog.remark')} error={wrong} maxLength={200} rows={2} value={remark} onChange={setRemark} />
      ) : null}
    </ActionDialog>
  )
}
