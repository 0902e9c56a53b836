import { serverNow } from '#web/kernel/clock.ts'
import { useSession } from '#web/kernel/session.ts'
import { read } from '../calls.ts'
import { writes } from '../writes.ts'
import { onTheirWay } from './draft.ts'
import { keptExams } from './kept.ts'
import { dropLocal, hasArrived, keepLocal, restoredValues, settleLocal } from './local-copy.ts'
import { itemsOf, todayOf, toInput } from './model.ts'
import { inLine } from './saves.ts'

/**
 * Sends what was typed without a network as drafts, also when the form is not opened again.
 * @param isOpen - whether the form of an examination is on the screen: it sends its own changes
 * @returns how many drafts the server has taken
 */
export const sendKept = async (userId: string, isOpen: (examId: string) => boolean): Promise<number> => {
  let sent = 0
  for (const examId of keptExams(userId)) {
    if (isOpen(examId)) continue
    const form = await read('form', { examId })
    await inLine(examId, async () => {
      // Meanwhile the form may have been opened, or somebody else may have logged in.
      if (isOpen(examId) || useSession.getState().user?.userId !== userId) return
      const today = todayOf(serverNow())
      if (hasArrived(form, userId, today)) {
        dropLocal(examId, userId)
        sent += 1
        return
      }
      const restored = restoredValues(form, userId, today)
      if (restored === null) return
      const { edits, values, atMs } = restored
      keepLocal(examId, userId, itemsOf(form), values, onTheirWay(edits, edits), atMs)
      const answer = await writes.submit({ ...toInput(form, values, today), submitType: 0, draft: { seen: form.draftVersion, edits } })
      // What another device has changed too waits here until the form is opened and the candidate chooses.
      const asked = new Set(answer.conflicts.map(({ key }) => key))
      settleLocal(examId, userId, Object.fromEntries(Object.entries(edits).filter(([key]) => !asked.has(key))))
      if (asked.size < Object.keys(edits).length) sent += 1
    })
  }
  return sent
}
