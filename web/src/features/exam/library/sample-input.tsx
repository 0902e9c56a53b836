import { useState } from 'react'
import type { ApiOutput } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { upload } from '#web/kernel/upload.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { type StoredFile, UploadList } from '#web/ui/upload-list.tsx'
import type { Send } from '#web/ui/uploader.tsx'
import { libraryTexts } from './texts.ts'

const limits = { types: ['jpg', 'png', 'pdf'], maxBytes: 2 * 1024 * 1024, shrink: true } as const

const send: Send<StoredFile> = async (file, { idempotencyKey, ...progress }) => {
  const fields = { purpose: 'document', name: file.name }
  const stored = await upload<ApiOutput<'POST /file/upload'>>('/file/upload', file, { ...progress, idempotencyKey, fields })
  return { id: stored.fileId, name: stored.name, sizeBytes: stored.sizeBytes, link: stored.link }
}

/** A picture of what candidates should upload. */
export const SampleInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(libraryTexts)
  const [sent, setSent] = useState<StoredFile | null>(null)
  const has = typeof value === 'string' && value !== ''
  if (has && sent?.id !== value)
    return (
      <span id={id} className="sample-kept">
        {t('sample.kept')}
        <button type="button" className="link-button" onClick={() => onChange?.(null)}>
          {t('sample.replace')}
        </button>
      </span>
    )
  return (
    <div id={id}>
      <UploadList
        limits={limits}
        most={1}
        value={has && sent !== null ? [sent] : []}
        onChange={change => {
          const [file = null] = change(has && sent !== null ? [sent] : [])
          setSent(file)
          onChange?.(file?.id ?? null)
        }}
        send={send}
      />
    </div>
  )
}
