import { lazy, Suspense, useRef, useState } from 'react'
import type { Field } from '#contract/kernel/field.ts'
import { richPictureBase } from '#contract/kernel/rich-text.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { upload } from '#web/kernel/upload.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { newsTexts } from './texts.ts'

const RichEditor = lazy(async () => ({ default: (await import('#web/ui/rich-editor.tsx')).RichEditor }))

type Kept = { readonly fileId: string; readonly name: string }
const send = (file: File, purpose: 'image' | 'document') => upload<Kept>('/file/upload', file, { fields: { purpose } })
const keepPicture = async (file: File): Promise<string> => `${richPictureBase}${(await send(file, 'image')).fileId}`

type SlotProps = InputProps & { readonly field: Field; readonly disabled?: boolean }

/** The text of a notice or of news, with pictures that the server keeps. */
export const ContentInput = ({ field, value, onChange, disabled, ...rest }: SlotProps) => {
  const label = useLabel()
  return (
    <Suspense fallback={<div className="input rich-wait" />}>
      <RichEditor
        {...rest}
        label={label(field.label)}
        value={typeof value === 'string' ? value : ''}
        onChange={next => onChange?.(next)}
        disabled={disabled === true}
        keepPicture={keepPicture}
      />
    </Suspense>
  )
}

/** One file, chosen and kept at once; its id is the value. */
const FileInput = ({
  value,
  onChange,
  purpose,
  id,
  disabled,
}: SlotProps & { readonly purpose: 'image' | 'document'; readonly id?: string }) => {
  const t = useT(newsTexts)
  const chooser = useRef<HTMLInputElement>(null)
  const [kept, setKept] = useState<Kept | null>(null)
  const [busy, setBusy] = useState(false)
  const fileId = typeof value === 'string' ? value : ''
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy(true)
    try {
      const stored = await send(file, purpose)
      setKept(stored)
      onChange?.(stored.fileId)
    } catch {
      // The api client has said why; what was chosen before stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="inline-tools">
      {purpose === 'image' && fileId !== '' ? <img src={`${richPictureBase}${fileId}`} alt="" width={120} /> : null}
      {purpose === 'document' && kept !== null ? <span>{kept.name}</span> : null}
      <button id={id} type="button" className="button" disabled={disabled || busy} onClick={() => chooser.current?.click()}>
        {t(purpose === 'image' ? 'cover.choose' : 'file.choose')}
      </button>
      {purpose === 'image' && fileId !== '' && !disabled ? (
        <button type="button" className="link-button" onClick={() => onChange?.(null)}>
          {t('cover.drop')}
        </button>
      ) : null}
      <input
        ref={chooser}
        type="file"
        // The kit's style sheet shows file controls of forms, also hidden ones.
        style={{ display: 'none' }}
        aria-label={t(purpose === 'image' ? 'cover.choose' : 'file.choose')}
        accept={purpose === 'image' ? 'image/png,image/jpeg' : '.pdf,.docx,.xlsx,.jpg,.jpeg,.png'}
        onChange={event => {
          void choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}
export const CoverInput = (props: SlotProps) => <FileInput {...props} purpose="image" />
export const DocumentInput = (props: SlotProps) => <FileInput {...props} purpose="document" />
export const sendDocument = (file: File): Promise<Kept> => send(file, 'document')
