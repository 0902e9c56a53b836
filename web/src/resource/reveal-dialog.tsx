import { useEffect, useState } from 'react'
import { api } from '../kernel/api.ts'
import { useT } from '../kernel/i18n/index.ts'
import { sealed } from '../kernel/sealed.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { LabelledSelect } from '../ui/labelled.tsx'
import { revealTexts } from './reveal-texts.ts'

export type RevealField = 'idCard' | 'phone'
const purposes = [1, 2, 3, 4] as const
/** A number that was needed once does not stay on a screen that somebody walks away from. */
const shownMs = 60_000

/** Asks what the full number is needed for, and shows it (domain P6). */
export const RevealDialog = ({
  signupId,
  name,
  field,
  onClose,
}: {
  readonly signupId: string
  readonly name: string
  readonly field: RevealField
  readonly onClose: () => void
}) => {
  const t = useT(revealTexts)
  const [purpose, setPurpose] = useState<(typeof purposes)[number]>(1)
  const [value, setValue] = useState<string | null>(null)
  useEffect(() => {
    if (value === null) return
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [value, onClose])
  const run = async (): Promise<boolean> => {
    // The one answer that is a whole number of a person: it does not lie open in what stands between browser and server either.
    const answer = await api
      .call('POST /blade-signup/signup/reveal', { id: signupId, field, purpose }, { through: sealed })
      .catch(() => null)
    if (answer !== null) setValue(answer.value)
    return false
  }
  return (
    <ActionDialog title={t(`reveal.${field}`)} actions={value === null ? [{ label: t('reveal.show'), run }] : []} onClose={onClose}>
      {value === null ? (
        <>
          <p>{t('reveal.lead', { name })}</p>
          <LabelledSelect
            label={t('reveal.purpose')}
            value={purpose}
            options={purposes.map(each => ({ value: each, label: t(`reveal.purpose.${each}`) }))}
            onChange={setPurpose}
          />
        </>
      ) : (
        <p className="reveal-value" role="status">
          {value}
        </p>
      )}
    </ActionDialog>
  )
}
