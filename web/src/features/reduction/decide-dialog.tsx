import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { fromWireTime } from '#contract/kernel/when.ts'
import { choiceWindowOf, choiceWindowProblem } from '#contract/reduction/choice-window.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { upload } from '#web/kernel/upload.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { sendAsking } from '#web/ui/ask-doubts.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Labelled, LabelledInput } from '#web/ui/labelled.tsx'
import { type StoredFile, UploadList } from '#web/ui/upload-list.tsx'
import type { Send } from '#web/ui/uploader.tsx'
import type { ReducedPost, Reductions } from './calls.ts'
import { reductionTexts } from './texts.ts'

const DateInput = lazy(async () => ({ default: (await import('#web/resource/date-input.tsx')).DateInput }))

const limits = { types: ['jpg', 'png', 'pdf'], maxBytes: 5 * 1024 * 1024, shrink: true } as const
const send: Send<StoredFile> = async (file, { idempotencyKey, ...progress }) => {
  const fields = { purpose: 'document', name: file.name }
  const stored = await upload<ApiOutput<'POST /file/upload'>>('/file/upload', file, { ...progress, idempotencyKey, fields })
  return { id: stored.fileId, name: stored.name, sizeBytes: stored.sizeBytes, link: stored.link }
}

interface Row {
  readonly post: ReducedPost
  readonly action: number
  readonly afterNum: string
  readonly toCodes: string
}
/** A draft as it was kept, else what the rule proposes. */
const rowOf = (post: ReducedPost): Row => {
  const draft = post.decision?.state === 0 ? post.decision : null
  const action = draft?.action ?? (post.proposal === 0 ? 1 : post.proposal)
  const afterNum = draft?.afterNum ?? (post.proposal === 1 ? post.proposedNum : Math.max(1, post.curNum - 1))
  return { post, action, afterNum: String(afterNum), toCodes: (draft?.toCodes ?? []).join(' ') }
}
const codesIn = (text: string): string[] => text.split(/[\s,，、;；]+/).filter(Boolean)
const actions = [1, 2, 3, 4] as const

/** Candidates read it, so it is Chinese whatever language the office works in. */
const usualReason = '报名缴费人数未达到开考比例'

/** What is decided about chosen posts: kept as drafts or published (domain 4.4). */
export const DecideDialog = ({
  examId,
  facts,
  posts,
  onClose,
  onDone,
}: {
  readonly examId: string
  readonly facts: Reductions
  readonly posts: readonly ReducedPost[]
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(reductionTexts)
  const say = useLabel()
  const client = useQueryClient()
  const [rows, setRows] = useState(() => posts.map(rowOf))
  const drafted = posts.find(post => post.decision?.state === 0)?.decision
  const [reason, setReason] = useState(drafted?.reason ?? usualReason)
  const [begin, setBegin] = useState(drafted?.choiceBegin ?? facts.adjustBegin ?? '')
  const [end, setEnd] = useState(drafted?.choiceEnd ?? facts.adjustEnd ?? '')
  const [files, setFiles] = useState<readonly StoredFile[]>([])
  const [wrong, setWrong] = useSaid<Readonly<Record<string, string>>>({})
  const [touched, setTouched] = useState(false)
  const change = (code: string, part: Partial<Row>) => {
    setTouched(true)
    setRows(before => before.map(row => (row.post.code === code ? { ...row, ...part } : row)))
  }
  const moves = rows.some(row => row.action === 2 || row.action === 3)
  const keeps = rows.some(row => row.action === 4)
  const run = async (publish: 0 | 1): Promise<boolean> => {
    const count = (of: readonly number[]) => rows.filter(row => of.includes(row.action)).length
    const window = { ...(moves && begin !== '' ? { choiceBegin: begin } : {}), ...(moves && end !== '' ? { choiceEnd: end } : {}) }
    if (publish === 1) {
      // Before anybody is asked whether they are sure; the server looks again.
      const isRead = [begin, end].every(text => text === '' || fromWireTime(text) !== undefined)
      const found = moves && isRead ? choiceWindowProblem(choiceWindowOf(window), new Date(serverNow())) : undefined
      setWrong(found === undefined ? {} : { [found.field]: say(found.problem) })
      if (found !== undefined) return false
      const people = rows.filter(row => row.action === 2 || row.action === 3).reduce((sum, row) => sum + row.post.valid, 0)
      const text = t('decide.sureText', { cancelled: count([2, 3]), people, reduced: count([1]), kept: count([4]) })
      if (!(await confirm({ title: t('decide.sure', { count: rows.length }), text, ok: t('decide.publish'), danger: true }))) return false
    }
    try {
      const input = {
        examId,
        publish,
        ...window,
        rows: rows.map(row => ({
          ...{ code: row.post.code, action: row.action, afterNum: Number(row.afterNum) || 0, toCodes: codesIn(row.toCodes), reason },
          ...(row.action === 4 && files[0] !== undefined ? { approveFile: files[0].id } : {}),
        })),
      }
      const answer = await sendAsking((sure, options) =>
        api.call('POST /blade-signup/signup/savePostReductionInfoByExamId', { ...input, ...sure }, options),
      )
      notify(
        'success',
        publish === 1
          ? t('decide.published', { count: answer.published, joined: answer.joined, told: answer.told })
          : t('decide.saved', { count: answer.saved }),
      )
      void client.invalidateQueries({ queryKey: listKey('reduction') })
      onDone()
      return true
    } catch (error) {
      setWrong(fieldTexts(error))
      return false
    }
  }
  const when = (label: string, value: string, key: 'choiceBegin' | 'choiceEnd', set: (value: string) => void) => (
    <Labelled label={label} error={wrong[key]}>
      {(id, described) => (
        <Suspense fallback={<input id={id} {...described} className="input" readOnly value={value} />}>
          <DateInput
            id={id}
            withTime
            isEnd={key === 'choiceEnd'}
            value={value === '' ? null : value}
            onChange={next => {
              setTouched(true)
              set(typeof next === 'string' ? next : '')
            }}
          />
        </Suspense>
      )}
    </Labelled>
  )
  return (
    <ActionDialog
      title={t('decide.title')}
      size="three"
      hasChanges={() => touched}
      onClose={onClose}
      actions={[
        { label: t('decide.save'), tone: 'plain', run: () => run(0) },
        { label: t('decide.publish'), tone: 'danger', run: () => run(1) },
      ]}
    >
      <p className="dialog-lead">{t('decide.lead')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="decide-scroll" tabIndex={0}>
        <table className="decide-table">
          <thead>
            <tr>
              <th scope="col">{t('posts.name')}</th>
              <th scope="col">{t('posts.valid')}</th>
              <th scope="col">{t('decide.action')}</th>
              <th scope="col">{t('decide.after')}</th>
              <th scope="col" title={t('decide.toHint')}>
                {t('decide.to')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ post, action, afterNum, toCodes }) => {
              const named = (what: string) => t('decide.row', { code: post.code, what })
              return (
                <tr key={post.code}>
                  <th scope="row">
                    {post.code} {post.codeName}
                  </th>
                  <td>
                    {post.valid} / {post.curNum}
                  </td>
                  <td>
                    <select
                      className="input"
                      aria-label={named(t('decide.action'))}
                      value={action}
                      onChange={event => change(post.code, { action: Number(event.target.value) })}
                    >
                      {actions.map(one => (
                        <option key={one} value={one}>
                          {t(`action.${one}`)}
                        </option>
                      ))}
                    </select>
                  </td>
                  <td>
                    {action === 1 || action === 3 ? (
                      <input
                        className="input"
                        inputMode="numeric"
                        aria-label={named(t(action === 1 ? 'decide.after' : 'decide.afterMerge'))}
                        value={afterNum}
                        onChange={event => change(post.code, { afterNum: event.target.value.replace(/\D/g, '').slice(0, 3) })}
                      />
                    ) : action === 2 ? (
                      0
                    ) : (
                      post.curNum
                    )}
                  </td>
                  <td>
                    {action === 2 || action === 3 ? (
                      <input
                        className="input"
                        aria-label={named(t('decide.to'))}
                        placeholder={t('decide.toHint')}
                        value={toCodes}
                        onChange={event => change(post.code, { toCodes: event.target.value })}
                      />
                    ) : null}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <LabelledInput
        label={t('decide.reason')}
        error={wrong['reason']}
        maxLength={200}
        value={reason}
        onChange={value => {
          setTouched(true)
          setReason(value)
        }}
      />
      {moves ? (
        <div className="decide-when">
          {when(t('decide.begin'), begin, 'choiceBegin', setBegin)}
          {when(t('decide.end'), end, 'choiceEnd', setEnd)}
        </div>
      ) : null}
      {keeps ? (
        <Labelled label={t('decide.file')}>
          {id => (
            <div id={id}>
              <UploadList limits={limits} most={1} value={files} onChange={set => setFiles(set(files))} send={send} />
            </div>
          )}
        </Labelled>
      ) : null}
    </ActionDialog>
  )
}
