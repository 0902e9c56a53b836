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
import { verifiedChangeTexts } from './texts.ts'
import type { ChangeRow } from './wire.ts'
import './verified-change.css'

interface Props {
  readonly row: ChangeRow
  readonly onClose: () => void
  /** Asks for the rows anew. */
  readonly onDone: () => void
}

/** One request beside its proofs, and the decision while it waits. */
export const DecideDialog = ({ row, onClose, onDone }: Props) => {
  const t = useT(verifiedChangeTexts)
  const [remark, setRemark] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const detail = useQuery({
    queryKey: ['verified-change-detail', row.id],
    queryFn: () => api.call('GET /blade-userupdateinfo/userupdateinfo/detail', { id: row.id }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const waits = row.state === 0
  const field = t(`field.${row.field}`)
  const decide = async (state: 1 | 2): Promise<boolean> => {
    const text = remark.trim()
    setWrong(state === 2 && text === '' ? t('dialog.remark.need') : undefined)
    if (state === 2 && text === '') return false
    try {
      await api.call('POST /blade-userupdateinfo/userupdateinfo/submit', { id: row.id, state, remark: text }, { quiet: 'fields' })
      notify('success', state === 1 ? t('dialog.passed', { name: row.realName ?? '', field }) : t('dialog.refused'))
      onDone()
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  const actions: readonly DialogAction[] = [
    { label: t('dialog.refuse'), tone: 'danger', run: () => decide(2) },
    // Only what was seen beside its proofs can be approved.
    { label: t('dialog.pass'), tone: 'primary', disabled: detail.data === undefined, run: () => decide(1) },
  ]
  return (
    <ActionDialog
      title={t(waits ? 'dialog.title' : 'dialog.view')}
      size="two"
      {...(waits ? { actions, hasChanges: () => remark !== '' } : {})}
      onClose={onClose}
    >
      {waits ? <p className="dialog-lead">{t('dialog.lead')}</p> : null}
      <Facts
        boxed
        items={[
          { key: 'person', label: t('list.person'), value: row.realName },
          { key: 'account', label: t('list.account'), value: row.account },
          { key: 'userCode', label: t('list.userCode'), value: row.userCode },
          { key: 'field', label: t('list.field'), value: field },
          { key: 'old', label: t('list.old'), value: row.oldMask },
          { key: 'new', label: t('list.new'), value: <strong>{detail.data?.newValue ?? row.newMask}</strong> },
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
      <h3>{t('dialog.proofs')}</h3>
      <Loaded query={detail} skeletonRows={3}>
        {({ proofs }) => (
          <ul className="change-proofs">
            {proofs.map(proof => (
              <li key={proof.fileId}>
                <a href={proof.link} target="_blank" rel="noreferrer" aria-label={t('dialog.open', { name: proof.name })}>
                  {proof.mime.startsWith('image/') ? <img src={proof.link} alt="" /> : null}
                  <span>{proof.name}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {waits ? (
        <LabelledInput label={t('dialog.remark')} error={wrong} maxLength={200} rows={2} value={remark} onChange={setRemark} />
      ) : null}
    </ActionDialog>
  )
}
