import { useEffect, useState } from 'react'
import { acceptOf } from '#web/kernel/accept.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Field } from '../kit/field.tsx'
import { CameraIcon } from '../kit/page-icons.tsx'
import { accountTexts } from './texts.ts'
import './account.css'

const Chosen = ({ file }: { readonly file: File }) => {
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setSrc(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return (
    <span className="p-chosen">
      {src !== undefined && <img src={src} alt="" />}
      {file.name} · {sizeOf(file.size)}
    </span>
  )
}

/** One picture from the device. The browser's own control speaks the browser's language, so a button of the page stands over it. */
export const PictureField = ({
  label,
  name,
  file,
  error,
  onChoose,
}: {
  readonly label: string
  readonly name: string
  readonly file: File | undefined
  readonly error: string | undefined
  /** @returns whether the file is taken; the control forgets one that is not, so that it can be chosen again. */
  readonly onChoose: (file: File | undefined) => Promise<boolean>
}) => {
  const t = useT(accountTexts)
  return (
    <Field label={label} help={file && <Chosen file={file} />} error={error}>
      {ids => (
        <span className="p-btn is-block p-file-btn">
          <CameraIcon size={20} />
          <span aria-hidden="true">{t(file === undefined ? 'reg.choose' : 'reg.replace')}</span>
          <input
            {...ids}
            type="file"
            className="p-file-over"
            name={name}
            accept={acceptOf(['jpg', 'png'])}
            onChange={event => {
              const { target } = event
              void onChoose(target.files?.[0]).then(isTaken => {
                if (!isTaken) target.value = ''
              })
            }}
          />
        </span>
      )}
    </Field>
  )
}
