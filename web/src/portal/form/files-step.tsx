import { useState } from 'react'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { listOf } from '#web/kernel/i18n/list.ts'
import { Callout } from '../kit/page-ui.tsx'
import type { SignFile, SignupForm } from '../wire.ts'
import { FileBox } from './file-box.tsx'
import { askedFiles, isFileOpen, isForPost, type openPartsOf } from './model.ts'
import { change, type FormStore, problemOf } from './store.ts'
import { formTexts } from './texts.ts'
import type { UploadQueue } from './uploads.ts'

const texts = defineTexts(
  { rest: '没有要求的材料（选填）：{names}', ofPost: '岗位要求' },
  { rest: 'Not asked for (optional): {names}', ofPost: 'For the post' },
)

interface Props {
  readonly form: SignupForm
  readonly store: FormStore
  readonly parts: ReturnType<typeof openPartsOf>
  readonly queue: UploadQueue
  readonly adviceOf: (fileKey: string) => string | undefined
}

/** The documents that the answers so far call for; what neither the examination nor a chosen post asks for is folded away. */
export const FilesStep = ({ form, store, parts, queue, adviceOf }: Props) => {
  const t = useT(formTexts)
  // What the chosen post asks for is as necessary as what everybody hands in.
  const { values, problems, judged } = store()
  const own = useT(texts)
  // A card stays where it is under who puts a file into it: one that was open stays open, also once nothing is missing any more.
  const [open] = useState(() => new Set(values.files.map(file => file.fileKey)))
  if (form.files.length === 0) return <Callout>{t('form.files.none')}</Callout>
  const asked = askedFiles(form, values.content).map(rule =>
    judged.told.some(one => one.field === `file:${rule.fileKey}`) ? { ...rule, required: true } : rule,
  )
  for (const { fileKey, required } of asked)
    if (required || adviceOf(fileKey) !== undefined || isForPost(judged, fileKey)) open.add(fileKey)
  const isFolded = ({ fileKey }: SignFile): boolean => !open.has(fileKey)
  const rest = asked.filter(isFolded)
  const boxOf = (rule: SignFile) => (
    <FileBox
      key={rule.fileKey}
      rule={rule}
      queue={queue}
      files={values.files.filter(file => file.fileKey === rule.fileKey)}
      problem={problemOf(problems, `file:${rule.fileKey}`)}
      advice={adviceOf(rule.fileKey)}
      wish={isForPost(judged, rule.fileKey) ? own('ofPost') : undefined}
      locked={!isFileOpen(parts, rule.fileKey)}
      onRemove={fileId => change(store, { files: store.getState().values.files.filter(file => file.fileId !== fileId) })}
    />
  )
  return (
    <div className="p-stack p-gap-l">
      <div className="p-stack p-grid-2">{asked.filter(rule => !isFolded(rule)).map(boxOf)}</div>
      {rest.length > 0 && (
        <details className="p-fold">
          <summary>{own('rest', { names: listOf(rest.map(rule => rule.fileLabel)) })}</summary>
          <div className="p-stack p-grid-2">{rest.map(boxOf)}</div>
        </details>
      )}
    </div>
  )
}
