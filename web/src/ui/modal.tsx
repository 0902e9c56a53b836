import { Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Asked, confirm } from './dialog.tsx'
import { uiTexts } from './texts.ts'

/** `prompt` is S9.17's 20 %, at least 320 px (decision 3.18); the others are for one, two and three columns of fields. */
export type DialogSize = 'prompt' | 'one' | 'two' | 'three'
const widths: Record<DialogSize, number | string> = { prompt: 'max(20vw, 320px)', one: 520, two: 760, three: 960 }

interface Props {
  readonly title: string
  readonly size?: DialogSize
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons; always in view. `close` asks about unsaved changes first. */
  readonly footer?: (close: () => void) => ReactNode
  /** Asked on each way out: unsaved input is not thrown away without a question. */
  readonly hasChanges?: () => boolean
}

/** The dialog of the console; full screen on phones, focus returns to where it was. */
export const Dialog = ({ title, size = 'one', onClose, children, footer, hasChanges }: Props) => {
  const t = useT()
  const close = async () => {
    if (hasChanges?.()) {
      const leave = await confirm({
        title: t('form.unsaved.leave'),
        text: t('form.unsaved'),
        ok: t('form.unsaved.leave'),
        cancel: t('form.unsaved.stay'),
      })
      if (!leave) return
    }
    onClose()
  }
  return (
    <Modal
      open
      title={title}
      width={widths[size]}
      className={size === 'prompt' ? '' : 'dialog-full'}
      footer={footer?.(() => void close()) ?? null}
      onCancel={() => void close()}
      mask={{ closable: false }}
      centered={size === 'prompt'}
      destroyOnHidden
    >
      {children}
    </Modal>
  )
}

export const ConfirmModal = ({ asked }: { readonly asked: Asked }) => {
  const t = useT(uiTexts)
  const [answered, setAnswered] = useState(false)
  const answer = (yes: boolean) => {
    if (answered) return
    setAnswered(true)
    asked.answer(yes)
  }
  return (
    <Modal
      open
      title={asked.title}
      width={420}
      centered
      zIndex={1100}
      onCancel={() => answer(false)}
      footer={
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
          <button type="button" className="button" onClick={() => answer(false)}>
            {asked.cancel ?? t('action.cancel')}
          </button>
          <button type="button" className={`button ${asked.danger ? 'button-danger' : 'button-primary'}`} onClick={() => answer(true)}>
            {asked.ok ?? t('action.ok')}
          </button>
        </div>
      }
    >
      <div style={{ whiteSpace: 'pre-line' }}>{asked.text}</div>
    </Modal>
  )
}
