import type { Translate } from '#web/kernel/i18n/index.ts'
import type { ExamineInfo } from '../show.ts'
import type { reviewZh } from '../zh.ts'

type Entry = Pick<ExamineInfo['signup']['records'][number], 'level' | 'result' | 'examinerName'>
/** “First review · who · refused”. */
export const entryOf = (t: Translate<typeof reviewZh>, { level, result, examinerName }: Entry): string =>
  t('history.entry', {
    level: level === 2 ? t('level.2') : level === 3 ? t('level.3') : level === 4 ? t('level.4') : t('level.1'),
    who: examinerName,
    result: result === 1 ? t('result.1') : result === 2 ? t('result.2') : t('result.3'),
  })
