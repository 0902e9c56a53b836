import { type LeftOut, leftOutLabels, pausedState, sendStates, sendTones, waitReasons } from '#contract/message/send.state.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { type Translate, useLabel, useT } from '#web/kernel/i18n/index.ts'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { sendTexts } from './texts.ts'

/** Name of the list of tasks, by which it is asked for anew. */
export const taskList = 'send-tasks'
export type Task = ApiOutput<'GET /blade-send/send/detail'>

const reasonOf = (key: string) => Object.entries(waitReasons).find(([name]) => name === key)?.[1]

/** How a task stands, and why it stands still. */
export const TaskTag = ({ task }: { readonly task: Task }) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const reason = task.waitReason === null ? undefined : reasonOf(task.waitReason)
  const isPaused = task.state === 2 && task.waitReason === 'problem'
  return (
    <>
      {isPaused ? (
        <StatusTag tone="refused" text={label(pausedState)} />
      ) : (
        <StatusTag tone={sendTones[task.state] ?? 'closed'} text={label(sendStates[task.state] ?? { zh: '', en: '' })} />
      )}
      {reason ? <small> {label(reason)}</small> : null}
      {isPaused && task.problem !== null ? <small> {task.problem}</small> : null}
      {task.waitUntil === null ? null : <small> {t('waiting', { time: minuteOf(task.waitUntil) })}</small>}
      {task.scheduleTime !== null && task.state <= 2 ? <small> {t('scheduled', { time: task.scheduleTime })}</small> : null}
    </>
  )
}

/** How far a task is, in words. */
export const progressText = (t: Translate<(typeof sendTexts)['zh']>, task: Task): string => {
  const text = t('progress', { done: task.taken + task.delivered, total: task.total, failed: task.failed })
  return task.cancelled === 0 ? text : t('progress.cancelled', { text, count: task.cancelled })
}
/** What is said when a task has been let go. */
export const begunText = (t: Translate<(typeof sendTexts)['zh']>, task: Task): string =>
  task.state === 1
    ? t('wizard.done.approval')
    : task.waitUntil === null
      ? t('wizard.done')
      : t('wizard.done.quiet', { time: minuteOf(task.waitUntil) })

/** Who was left out of a task and why; nothing where nobody was. */
export const LeftOutLine = ({ leftOut }: Pick<Task, 'leftOut'>) => {
  const t = useT(sendTexts)
  const label = useLabel()
  const parts = Object.entries(leftOut).filter(([, count]) => count > 0)
  if (parts.length === 0) return null
  const one = ([key, count]: readonly [string, number]): string =>
    t('leftOut.one', { label: label(leftOutLabels[key as LeftOut] ?? { zh: key, en: key }), count })
  return <p>{t('leftOut', { text: parts.map(one).join(label({ zh: '，', en: ', ' })) })}</p>
}
