import { type ChangeEvent, Suspense, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { acceptOf } from '#web/kernel/accept.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { lazyPart } from '#web/kernel/lazy-part.ts'
import { notify } from '#web/kernel/notify.ts'
import { upload } from '#web/kernel/upload.ts'
import { Avatar } from '#web/shell/avatar.tsx'
import { fileProblem } from '#web/ui/uploader.tsx'
import { accountTexts } from '../texts.ts'

const CropDialog = lazyPart(async () => (await import('#web/ui/crop-dialog.tsx')).CropDialog)
/** S5.29; 500kb are 512,000 bytes (decision 3.8). */
const avatarLimits = { types: ['jpg', 'png'], maxBytes: 512_000 } as const
/** The server keeps at most as many pixels a side. */
const avatarSize = { width: 512, height: 512 }

interface Props {
  readonly src: string
  readonly name: string
  /** Stores the uploaded picture, '' for the default one. @throws when it is not stored; the reason has been shown */
  readonly onStore: (attachId: string) => Promise<void>
}

export const AvatarEdit = ({ src, name, onStore }: Props) => {
  const t = useT(accountTexts)
  const input = useRef<HTMLInputElement>(null)
  const [source, setSource] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const say = useLabel()
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const given = event.target.files?.[0]
    event.target.value = ''
    if (given === undefined) return
    const file = await import('#web/kernel/picture.ts').then(picture => picture.asSendable(given, avatarLimits.maxBytes))
    if (file === undefined) return notify('warning', say(heicAdvice))
    const problem = fileProblem(file, avatarLimits)
    if (problem === 'type') notify('warning', t('avatar.wrongType'))
    else if (problem === 'size') notify('warning', t('avatar.tooBig'))
    else setSource(file)
  }
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      return true
    } catch {
      // Said by the api client.
      return false
    } finally {
      setBusy(false)
    }
  }
  const use = (picture: Blob) =>
    run(async () => {
      const stored = await upload<{ readonly attachId: string }>('/blade-resource/oss/endpoint/put-file', picture, {
        fileName: 'avatar.jpg',
      })
      await onStore(stored.attachId)
    })
  return (
    <div className="info-avatar">
      <Avatar src={src} name={name} size={96} />
      <div>
        <input
          ref={input}
          type="file"
          accept={acceptOf(['jpg', 'png'])}
          className="visually-hidden"
          tabIndex={-1}
          aria-label={t('avatar.label')}
          onChange={event => void choose(event)}
        />
        <div className="info-row">
          <button type="button" className="button" disabled={busy} onClick={() => input.current?.click()}>
            {t('avatar.choose')}
          </button>
          {src === '' ? null : (
            <button type="button" className="button" disabled={busy} onClick={() => void run(() => onStore(''))}>
              {t('avatar.remove')}
            </button>
          )}
        </div>
        <p>{t('avatar.rule')}</p>
      </div>
      {source === null ? null : (
        <Suspense>
          <CropDialog
            source={source}
            title={t('avatar.title')}
            size={avatarSize}
            maxBytes={avatarLimits.maxBytes}
            round
            onUse={use}
            onClose={() => setSource(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
