import { useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { userTexts } from './texts.ts'

export type OneTime = ApiOutput<'POST /blade-system/user/reset-password'>[number]

/** Passwords that nobody can ask for again. */
export const OneTimeDialog = ({ list, onClose }: { readonly list: readonly OneTime[]; readonly onClose: () => void }) => {
  const t = useT(userTexts)
  const made = list.filter(one => one.waiting === undefined)
  const [isTaken, setTaken] = useState(made.length === 0)
  // Escape, the cross and the button: what nobody can ask for again does not go by a slip.
  const leave = async () => {
    if (isTaken || (await confirm({ title: t('oneTime.leave'), text: t('oneTime.leave.text'), ok: t('oneTime.leave.ok') }))) onClose()
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.map(one => `${one.account}\t${one.password}\t${one.until}`).join('\n'))
      setTaken(true)
      notify('success', t('oneTime.copied'))
    } catch {
      notify('warning', t('oneTime.notCopied'))
    }
  }
  return (
    <ActionDialog title={t('oneTime.title')} size="two" onClose={() => void leave()}>
      <p>{t(made.length === 0 ? 'oneTime.waiting' : 'oneTime.lead')}</p>
      <table className="one-time">
        <thead>
          <tr>
            <th scope="col">{t('user.account')}</th>
            <th scope="col">{t('oneTime.password')}</th>
            <th scope="col">{t('oneTime.until')}</th>
          </tr>
        </thead>
        <tbody>
          {list.map(one => (
            <tr key={one.userId}>
              <th scope="row">{one.account}</th>
              <td>{one.waiting === undefined ? <code>{one.password}</code> : one.waiting}</td>
              <td>{one.until.slice(0, 16)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {list
        .filter(one => one.waiting !== undefined)
        .map(one => (
          <ToldLines key={one.userId} of={`password-${one.userId}`} />
        ))}
      {made.length === 0 ? null : (
        <p>
          <button type="button" className="button" onClick={() => void copy()}>
            {t('oneTime.copy')}
          </button>
        </p>
      )}
    </ActionDialog>
  )
}
