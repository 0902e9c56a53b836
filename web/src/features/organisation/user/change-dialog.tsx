import { useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog, type DialogAction } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { changeTexts } from './change-texts.ts'

export type ProposedChange = NonNullable<ApiOutput<'GET /blade-system/user/detail'>['change']>

/** What is to change and how far it has come. */
export const ProposedFacts = ({ change }: { readonly change: ProposedChange }) => {
  const t = useT(changeTexts)
  const { realName, phone, firstUser, secondUser, beganTime, applyTime, document } = change
  return (
    <>
      <Facts
        boxed
        items={[
          ...(realName === undefined ? [] : [{ key: 'realName', label: t('change.realName'), value: <strong>{realName}</strong> }]),
          ...(phone === undefined
            ? []
            : [{ key: 'phone', label: t('change.phone'), value: <strong>{phone === '' ? t('change.noPhone') : phone}</strong> }]),
          ...(document === '' ? [] : [{ key: 'document', label: t('document.label'), value: document }]),
        ]}
      />
      <p className="change-status" role="status">
        {applyTime === ''
          ? t('change.first', { name: firstUser, time: minuteOf(beganTime) })
          : t('change.agreed', { name: firstUser, second: secondUser, time: minuteOf(applyTime) })}
      </p>
    </>
  )
}

interface Props {
  readonly id: string
  readonly change: ProposedChange
  readonly onDone: () => void
  readonly onClose: () => void
}

/** The second person's word for a change of name or phone, or a refusal of it. */
export const ChangeDialog = ({ id, change, onDone, onClose }: Props) => {
  const t = useT(changeTexts)
  const [remark, setRemark] = useState('')
  const [document, setDocument] = useState(change.document)
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (state: 1 | 2): Promise<boolean> => {
    const text = remark.trim()
    const isMissing = state === 2 && text === ''
    setWrong(isMissing ? t('change.remark.need') : undefined)
    if (isMissing) return false
    const shown = document.trim()
    const sent = { id, state, ...(state === 2 ? { remark: text } : shown === '' ? {} : { document: shown }) }
    try {
      const { waiting } = await api.call('POST /blade-system/user/decide-change', sent, { quiet: 'fields' })
      notify('success', waiting ?? t(state === 1 ? 'change.done' : 'change.refused'))
      onDone()
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  const mayAgree = !change.mine && change.applyTime === ''
  const actions: readonly DialogAction[] = [
    { label: t('change.refuse'), tone: 'danger', run: () => run(2) },
    ...(mayAgree ? [{ label: t('change.pass'), tone: 'primary', run: () => run(1) } as const] : []),
  ]
  return (
    <ActionDialog
      title={t('change.decide')}
      actions={actions}
      hasChanges={() => remark !== '' || document !== change.document}
      onClose={onClose}
    >
      <ProposedFacts change={change} />
      <ToldLines of={`account-${id}`} />
      {change.mine ? <p>{t('change.mine')}</p> : null}
      {mayAgree ? <LabelledInput label={t('document.label')} maxLength={200} value={document} onChange={setDocument} /> : null}
      <LabelledInput label={t('change.remark')} error={wrong} maxLength={200} value={remark} onChange={setRemark} />
    </ActionDialog>
  )
}
