import { useId, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { Dialog } from '#web/ui/modal.tsx'
import { PostPicker } from './post-picker.tsx'
import type { Reviewer } from './reviewers.ts'
import { allotTexts } from './texts.ts'

/** Units, posts, the most that may wait, and whether a reviewer takes part. */
export const ReviewerDialog = ({
  examId,
  reviewer,
  unitNames,
  onSave,
  onClose,
}: {
  readonly examId: string
  readonly reviewer: Reviewer
  readonly unitNames: ReadonlyMap<string, string>
  readonly onSave: (entry: { units: string[]; codes: string[]; quota: number; state: 0 | 1 }) => Promise<void>
  readonly onClose: () => void
}) => {
  const t = useT(allotTexts)
  const id = useId()
  const [units, setUnits] = useState<readonly string[]>(reviewer.units)
  const [codes, setCodes] = useState<readonly string[]>(reviewer.codes)
  const [quota, setQuota] = useState(String(reviewer.quota))
  const [state, setState] = useState(reviewer.state === 1)
  const [busy, setBusy] = useState(false)
  const save = async (close: () => void) => {
    setBusy(true)
    try {
      await onSave({
        units: [...units],
        codes: [...codes],
        quota: Number(quota) || 0,
        state: state ? 1 : 0,
      })
      close()
    } catch {
      // The api client has said why; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('reviewer.title', { name: reviewer.name })}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" disabled={busy} onClick={() => void save(close)}>
            {t('save')}
          </button>
        </div>
      )}
    >
      <div className="dialog-body">
        <fieldset className="field">
          <legend>
            {t('units')}（{units.length === 0 ? t('all') : units.length}）
          </legend>
          <div className="allot-units">
            {[...unitNames].map(([code, name]) => (
              <label key={code}>
                <input
                  type="checkbox"
                  checked={units.includes(code)}
                  onChange={event => setUnits(event.target.checked ? [...units, code] : units.filter(one => one !== code))}
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <PostPicker examId={examId} value={codes} onChange={setCodes} />
        <div className="field">
          <label htmlFor={`${id}q`}>{t('quota')}</label>
          <input
            id={`${id}q`}
            className="input"
            inputMode="numeric"
            value={quota}
            aria-describedby={`${id}qh`}
            onChange={event => setQuota(event.target.value.replace(/\D/g, ''))}
          />
          <small id={`${id}qh`}>{t('quota.help')}</small>
        </div>
        <label className="allot-check">
          <input type="checkbox" checked={state} onChange={event => setState(event.target.checked)} /> {t('reviews.on')}
        </label>
      </div>
    </Dialog>
  )
}
