import { currentLang, defineTexts, fill } from '#web/kernel/i18n/index.ts'
import { confirm } from '#web/ui/dialog.tsx'
import type { Doubts } from './doubts.ts'

const texts = defineTexts(
  {
    'sure.title': '确定通过？',
    'sure.red': '自动核验有 {n} 项不符合岗位条件：{parts}',
    'sure.advice': '您写的 {n} 处修改意见不会发给考生',
    'sure.photo': '照片标记为不合格',
    'sure.unjudged': '照片需人工判断，还没有标记合格或不合格',
    'sure.yes': '仍然通过',
    'sure.separator': '、',
  },
  {
    'sure.title': 'Pass it?',
    'sure.red': '{n|condition|conditions} of the post not met: {parts}',
    'sure.advice': '{n} advised places will not reach the candidate',
    'sure.photo': 'The photo is marked as not good',
    'sure.unjudged': 'The photo needs a person to judge it and is marked neither good nor bad',
    'sure.yes': 'Pass anyway',
    'sure.separator': ', ',
  },
)

/** Asks once more before somebody passes whom something speaks against; it comes only then. */
export const askSure = ({ red, advices, isBad, isUnjudged, late }: Doubts): Promise<boolean> => {
  const own = texts[currentLang()]
  const doubts = [
    ...(red.length === 0 ? [] : [fill(own['sure.red'], { n: red.length, parts: red.join(own['sure.separator']) })]),
    ...(advices === 0 ? [] : [fill(own['sure.advice'], { n: advices })]),
    ...(isBad ? [own['sure.photo']] : []),
    ...(isUnjudged ? [own['sure.unjudged']] : []),
    ...late,
  ]
  return confirm({ title: own['sure.title'], text: doubts.join('\n'), ok: own['sure.yes'], danger: true })
}
