import { useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { upload } from '#web/kernel/upload.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { FileDrop, type Send, SendingFile, useSendFile } from '#web/ui/uploader.tsx'
import { groupTexts } from './texts.ts'

type Answer = ApiOutput<'POST /blade-exam/examination/importSignUpPhotos'>
const limits = { types: ['zip'], maxBytes: 60 * 1024 * 1024 } as const

/** Photos of a group in one archive, and what became of each. */
export const PhotosDialog = ({
  examId,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(groupTexts)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const send: Send<Answer> = (file, { idempotencyKey, ...progress }) =>
    upload<Answer>('/blade-exam/examination/importSignUpPhotos', file, { ...progress, idempotencyKey, fields: { examId } })
  const { sending, start, again, cancel } = useSendFile(send, got => {
    setAnswer(got)
    onDone()
  })
  return (
    <ActionDialog title={t('photos')} onClose={onClose}>
      <p className="dialog-lead">{t('photos.lead')}</p>
      {sending === null ? <FileDrop limits={limits} onFile={start} /> : <SendingFile sending={sending} onAgain={again} onCancel={cancel} />}
      {answer === null ? null : (
        <div role="status">
          <p>{t('photos.result', { total: answer.total, matched: answer.matched, missing: answer.missing })}</p>
          {answer.unknown.length === 0 ? null : (
            <p>
              {t('photos.unknown')} {answer.unknown.join('、')}
            </p>
          )}
          {answer.refused.length === 0 ? null : (
            <>
              <p>{t('photos.refused')}</p>
              <ul>
                {answer.refused.map(one => (
                  <li key={one.file}>
                    {one.file}：{one.reason}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </ActionDialog>
  )
}
