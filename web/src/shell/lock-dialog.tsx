import { type FormEvent, useId, useState } from 'react'
import { api } from '../kernel/api.ts'
import { encrypt, prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import { lock } from '../kernel/session.ts'
import { Labelled } from '../ui/labelled.tsx'
import { Dialog } from '../ui/modal.tsx'
import { shellTexts } from './texts.ts'

/** S2.30, S4.02, S5.12: a password for the lock, then the lock on the server (decision 3.9); the layout goes to /lock. */
export const LockDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(shellTexts)
  const form = useId()
  const [password, setPassword] = useState('')
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (password === '' || busy) return
    setBusy(true)
    try {
      await api.call('POST /blade-auth/oauth/lock', async () => ({ password: await encrypt(password) }))
      onClose()
      lock('person')
    } catch {
      setBusy(false) // The api client has said why; nothing is locked.
    }
  }
  return (
    <Dialog
      title={t('lock.set')}
      size="prompt"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="submit" form={form} className="button button-primary" disabled={busy}>
            {t('action.ok')}
          </button>
        </div>
      )}
    >
      <form id={form} onSubmit={submit} onFocus={prepareCipher} noValidate>
        <Labelled label={t('lock.password')} error={checked && password === '' ? t('lock.empty') : undefined}>
          {id => (
            <input
              id={id}
              className="input"
              type="password"
              autoComplete="new-password"
              maxLength={64}
              autoFocus
              value={password}
              onChange={event => setPassword(event.target.value)}
              aria-invalid={checked && password === ''}
            />
          )}
        </Labelled>
      </form>
    </Dialog>
  )
}
