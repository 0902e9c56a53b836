import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { examTexts } from '../texts.ts'

/** What copies of files are for: asked of whoever takes many. */
export const FilesDialog = ({ onSend, onClose }: { readonly onSend: (reason: string) => Promise<void>; readonly onClose: () => void }) => {
  const t = useT(examTexts)
  const [reason, setReason] = useState('')
  return (
    <Dialog
      title={t('signups.files')}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" onClick={() => void onSend(reason.trim()).then(close)}>
            {t('signups.files.send')}
          </button>
        </div>
      )}
    >
      <div className="dialog-body">
        <p className="dialog-lead">{t('signups.files.lead')}</p>
        <label className="field">
          <span>{t('signups.files.reason')}</span>
          <input className="input" maxLength={200} value={reason} onChange={event => setReason(event.target.value)} />
        </label>
      </div>
    </Dialog>
  )
}
