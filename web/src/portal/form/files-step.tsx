import { useT } from '#web/kernel/i18n/index.ts'
import { Callout } from '../kit/page-ui.tsx'
import type { SignupForm } from '../wire.ts'
import { FileBox } from './file-box.tsx'
import { askedFiles, isFileOpen, type openPartsOf } from './model.ts'
import { change, type FormStore, problemOf } from './store.ts'
import { formTexts } from './texts.ts'
import type { UploadQueue } from './uploads.ts'

interface Props {
  readonly form: SignupForm
  readonly store: FormStore
  readonly parts: ReturnType<typeof openPartsOf>
  readonly queue: UploadQueue
  readonly adviceOf: (fileKey: string) => string | undefined
}

/** The documents that the answers so far call for. */
export const FilesStep = ({ form, store, parts, queue, adviceOf }: Props) => {
  const t = useT(formTexts)
  // What the chosen post asks for is as necessary as what everybody hands in.
  const { values, problems, judged } = store()
  if (form.files.length === 0) return <Callout>{t('form.files.none')}</Callout>
  return (
    <div className="p-stack p-grid-2">
      {askedFiles(form, values.content).map(rule => (
        <FileBox
          key={rule.fileKey}
          rule={judged.told.some(one => one.field === `file:${rule.fileKey}`) ? { ...rule, required: true } : rule}
          queue={queue}
          files={values.files.filter(file => file.fileKey === rule.fileKey)}
          problem={problemOf(problems, `file:${rule.fileKey}`)}
          advice={adviceOf(rule.fileKey)}
          locked={!isFileOpen(parts, rule.fileKey)}
          onRemove={fileId => change(store, { files: store.getState().values.files.filter(file => file.fileId !== fileId) })}
        />
      ))}
    </div>
  )
}
