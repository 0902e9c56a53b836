import { useT } from '../../kernel/i18n/index.ts'
import { notify } from '../../kernel/notify.ts'
import { saveFile } from '../../kernel/save-file.ts'
import { secondFactorTexts } from './texts.ts'
import './parts.css'

export interface AppSecretData {
  /** Base32. */
  readonly secret: string
  /** Data URL of the picture. */
  readonly qr: string
}

const useCopy = () => {
  const t = useT(secondFactorTexts)
  return async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      notify('success', t('copied'))
    } catch {
      notify('warning', t('notCopied'))
    }
  }
}

/** What an authenticator app is given: the picture, and the same in letters for those who cannot scan it. */
export const AppSecret = ({ secret, qr }: AppSecretData) => {
  const t = useT(secondFactorTexts)
  const copy = useCopy()
  return (
    <div className="app-secret">
      <p>{t('scan')}</p>
      <img src={qr} width="176" height="176" alt={t('qr.alt')} />
      <p>{t('manual')}</p>
      <div className="app-secret-key">
        <code data-secret={secret}>{secret.match(/.{1,4}/g)?.join(' ') ?? secret}</code>
        <button type="button" onClick={() => void copy(secret)}>
          {t('copy')}
        </button>
      </div>
    </div>
  )
}

/** Codes that nobody can ask for again. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => {
  const t = useT(secondFactorTexts)
  const copy = useCopy()
  const text = codes.join('\n')
  return (
    <section className="recovery-codes" aria-label={t('codes.title')}>
      <h2>{t('codes.title')}</h2>
      <p>{t('codes.lead')}</p>
      <ol aria-label={t('codes.list')}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="second-factor-buttons">
        <button type="button" onClick={() => void copy(text)}>
          {t('copy')}
        </button>
        <button type="button" onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), `${t('codes.file')}.txt`)}>
          {t('download')}
        </button>
      </div>
    </section>
  )
}
