import type { QueryClient } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { notify } from '#web/kernel/notify.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { queueKey } from '../queue.ts'

/** Takes a decision back; an empty reason is none. */
export const sendUndo = async (
  client: QueryClient,
  { id, signVersion }: { readonly id: string; readonly signVersion: number },
  reason: string,
  done: string,
): Promise<void> => {
  await api.call('POST /blade-signup/examine/examine', {
    signUpId: id,
    examineResult: 0,
    signVersion,
    ...(reason === '' ? {} : { examineResultRemark: reason }),
  })
  notify('success', done)
  for (const queryKey of [listKey('examine'), queueKey, ['GET /blade-signup/examine/getExamUnits']])
    void client.invalidateQueries({ queryKey })
}
