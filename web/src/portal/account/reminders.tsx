import { useId, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { meTexts } from './me-texts.ts'

/** Whether the person hears of examinations that open (domain 6.3); what is stored shows, not what was pressed. */
export const Reminders = () => {
  const t = useT(meTexts)
  const hint = useId()
  const [busy, setBusy] = useState(false)
  const reminders = useRead('reminders', {}, { staleMs: 0 })
  const on = reminders.data?.on === true
  const set = async (wanted: boolean) => {
    if (busy) return
    setBusy(true)
    try {
      const answer = await api.call('POST /me/reminders', { on: wanted ? 1 : 0 })
      notify('success', t(answer.on ? 'remind.on' : 'remind.off'))
    } catch {
      // Said by the api client; the switch goes back to what is stored.
    }
    await refresh('reminders')
    setBusy(false)
  }
  return (
    <label className="p-switch">
      <span>
        {t('remind.title')}
        <small id={hint}>{t('remind.short')}</small>
      </span>
      <input
        type="checkbox"
        role="switch"
        name="reminders"
        checked={on}
        aria-checked={on}
        disabled={reminders.data === undefined}
        aria-busy={busy}
        aria-describedby={hint}
        onChange={event => void set(event.target.checked)}
      />
    </label>
  )
}
