import type { Preparations } from '../../console/page-entry.ts'
import { currentLang } from '../../kernel/i18n/index.ts'
import { usePermissionStore } from '../../kernel/permission.ts'
import { examRowsQuery, releasedOf } from '../../resource/exam-rows.ts'
import { stagesQuery } from './dashboard/stages.ts'

export const preparations: Preparations = {
  '/wel/dashboard': async (client, search) => {
    if (!usePermissionStore.getState().granted?.has('dashboard_signup')) return
    const { records } = await client.fetchQuery(examRowsQuery)
    const examId = search.get('examId') ?? releasedOf(records)[0]?.id
    if (examId !== undefined) await client.prefetchQuery(stagesQuery({ examId, unit: search.get('unit') }, currentLang()))
  },
}
