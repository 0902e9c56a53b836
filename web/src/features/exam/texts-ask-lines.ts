import { defineTexts } from '#web/kernel/i18n/index.ts'

export const askLinesTexts = defineTexts(
  {
    'lines.lead': '已导入 {count} 人的成绩，尚未发布。以下合格线将改变：',
    'lines.change': '{old} → {next}',
    'lines.none': '不设置',
    'lines.people': '{count} 人的结果会改变：',
    'lines.nobody': '没有人的结果会改变。',
    'lines.nowPass': '由不合格变为合格 {count} 人',
    'lines.nowFail': '由合格变为不合格 {count} 人',
    'lines.shortlist': '入围名单进出 {count} 人',
    'lines.told': '修改会记入审计；发布成绩的人会看到合格线在导入之后改过。',
  },
  {
    'lines.lead': 'The results of {count|person|people} are imported and not released. These lines change:',
    'lines.change': '{old} → {next}',
    'lines.none': 'none',
    'lines.people': 'The outcome of {count|person|people} changes:',
    'lines.nobody': 'Nobody’s outcome changes.',
    'lines.nowPass': 'Failed before, pass now: {count}',
    'lines.nowFail': 'Passed before, fail now: {count}',
    'lines.shortlist': 'Onto the shortlist or off it: {count}',
    'lines.told': 'The change is audited, and whoever releases the results is told that the line was changed after the import.',
  },
)
