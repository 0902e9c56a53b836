import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { api } from '../kernel/api.ts'
import { encrypt, prepareCipher } from '../kernel/cipher.ts'
import { useT } from '../kernel/i18n/index.ts'
import { logOut } from '../kernel/leave.ts'
import { setLocked, useSession } from '../kernel/session.ts'
import { goTo } from './go.ts'
import { shellTexts } from './texts.ts'
import './status.css'

/** S2.02, decision 3.9: the session is locked on the server too; its password opens it again, or the person logs out. */
export const LockPage = () => {
  const t = useT(shellTexts)
  const id = useId()
  const client = useQueryClient()
  const name = useSession(session => session.user?.nickName)
  const [password, setPassword] = useState('')
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const title = t('lock.title')
  useEffect(() => {
    document.title = title
  }, [title])
  const unlock = async (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (password === '' || busy) return
    setBusy(true)
    try {
      await api.call('POST /blade-auth/oauth/unlock', async () => ({ password: await encrypt(password) }))
      const back = useSession.getState().lockedAt
      setLocked(false)
      await client.invalidateQueries()
      goTo(back ?? '/', { replace: true })
    } catch {
      setPassword('')
      setChecked(false)
    } finally {
      setBusy(false)
    }
  }
  const error = checked && password === '' ? t('lock.empty') : undefined
  return (
    <main className="status-page">
      <h1>{title}</h1>
      <p>
        {name}
        <br />
        {t('lock.detail')}
      </p>
      <form className="lock-form" onSubmit={unlock} onFocus={prepareCipher} noValidate>
        <label htmlFor={id}>{t('lock.password')}</label>
        <input
          id={id}
          className="input"
          type="password"
          autoComplete="off"
          value={password}
          onChange={event => setPassword(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error`}
        />
        <p id={`${id}-error`} className="field-error" aria-live="polite">
          {error}
        </p>
        <button type="submit" className="button button-primary" disabled={busy}>
          {t('lock.unlock')}
        </button>
        <button type="button" className="button" onClick={() => void logOut()}>
          {t('action.logout')}
        </button>
      </form>
    </main>
  )
}
