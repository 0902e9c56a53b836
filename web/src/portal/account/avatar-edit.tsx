import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { acceptOf } from '#web/kernel/accept.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { asSendable, isAccepted } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { upload } from '#web/kernel/upload.ts'
import { AlertIcon } from '../kit/icons.tsx'
import { Button } from '../kit/ui.tsx'
import { meTexts } from './me-texts.ts'

const AvatarCrop = lazy(async () => ({ default: (await import('./avatar-crop.tsx')).AvatarCrop }))
/** S5.29; 500kb are 512,000 bytes (decision 3.8). */
const maxBytes = 512_000

const Picture = ({ src, name }: { readonly src: string; readonly name: string }) => {
  const [broken, setBroken] = useState<string | null>(null)
  return src === '' || src === broken ? (
    <span className="p-avatar" aria-hidden="true">
      {Array.from(name).slice(0, 1).join('').toUpperCase()}
    </span>
  ) : (
    <img className="p-avatar" src={src} alt="" onError={() => setBroken(src)} />
  )
}

/** @param onStore - stores the uploaded picture, '' for the default one; throws when it is not stored */
export const AvatarEdit = ({
  src,
  name,
  onStore,
}: {
  readonly src: string
  readonly name: string
  readonly onStore: (attachId: string) => Promise<void>
}) => {
  const t = useT(meTexts)
  const input = useRef<HTMLInputElement>(null)
  const [source, setSource] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useSaid<string | null>(null)
  const say = useLabel()
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const given = event.target.files?.[0]
    event.target.value = ''
    if (given === undefined) return
    const file = await asSendable(given, maxBytes)
    if (file === undefined) return setProblem(say(heicAdvice))
    const wrong = !isAccepted(file, 'jpg,jpeg,png') ? t('avatar.wrongType') : file.size > maxBytes ? t('avatar.tooBig') : null
    setProblem(wrong)
    if (wrong === null) setSource(file)
  }
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (isApiError(error)) setProblem(error.message)
    } finally {
      setSource(null)
      setBusy(false)
    }
  }
  const use = (picture: Blob) =>
    run(async () => {
      const stored = await upload<{ readonly attachId: string }>('/blade-resource/oss/endpoint/put-file', picture, {
        fileName: 'avatar.jpg',
        quiet: true,
      })
      await onStore(stored.attachId)
    })
  return (
    <div className="p-avatar-row">
      <Picture src={src} name={name} />
      <div className="p-stack p-gap-s">
        <input
          ref={input}
          type="file"
          accept={acceptOf(['jpg', 'png'])}
          hidden
          aria-label={t('avatar.label')}
          onChange={event => void choose(event)}
        />
        <div className="p-row">
          <Button busy={busy} onClick={() => input.current?.click()}>
            {t('avatar.choose')}
          </Button>
          {src !== '' && (
            <Button look="text" disabled={busy} onClick={() => void run(() => onStore(''))}>
              {t('avatar.remove')}
            </Button>
          )}
        </div>
        {problem === null ? (
          <p className="p-help">{t('avatar.rule')}</p>
        ) : (
          <p className="p-error" role="alert">
            <AlertIcon size={16} />
            <span>{problem}</span>
          </p>
        )}
      </div>
      {source !== null && (
        <Suspense>
          <AvatarCrop
            source={source}
            onClose={() => setSource(null)}
            onUse={use}
            onBroken={() => {
              setSource(null)
              setProblem(t('avatar.broken'))
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
