import { useStore } from 'zustand'
import { useT } from './i18n/index.ts'
import { dismiss, messageStore, type Tone } from './notify.ts'
import { toasterTexts } from './toaster-texts.ts'
import './toast-language.ts'

const marks: Record<Tone, string> = {
  success: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.5 4.6-4.3 4.5-2.2-2.2-1 1 3.2 3.3 5.3-5.6-1-1Z',
  info: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm-.8 6v5h1.6V7H7.2Zm0-3v1.7h1.6V4H7.2Z',
  warning: 'M8 1.2 15.4 14H.6L8 1.2Zm-.8 4.6v4h1.6v-4H7.2Zm0 5.2v1.6h1.6V11H7.2Z',
  error:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM5.5 4.4 4.4 5.5 6.9 8l-2.5 2.5 1.1 1.1L8 9.1l2.5 2.5 1.1-1.1L9.1 8l2.5-2.5-1.1-1.1L8 6.9 5.5 4.4Z',
}

/** Draws the short messages of `notify`; each entry has one. Errors interrupt a screen reader, the rest waits its turn. */
export const Toaster = () => {
  const messages = useStore(messageStore, state => state.messages)
  const t = useT(toasterTexts)
  return (
    <section className="toaster" aria-label={t('app.messages')}>
      {messages.map(message => (
        <div key={message.id} className="toast" data-tone={message.tone} role={message.tone === 'error' ? 'alert' : 'status'}>
          <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
            <path d={marks[message.tone]} fillRule="evenodd" />
          </svg>
          <span className="toast-text">{message.text}</span>
          <button type="button" className="toast-close" aria-label={t('action.close')} onClick={() => dismiss(message.id)}>
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <path d="m1 1 8 8M9 1 1 9" stroke="currentColor" strokeWidth="1.4" />
            </svg>
          </button>
        </div>
      ))}
    </section>
  )
}
