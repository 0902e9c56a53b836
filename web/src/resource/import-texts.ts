import { defineTexts } from '../kernel/i18n/index.ts'

export const importTexts = defineTexts(
  {
    'run.partial': '仅导入正确行，有误的行留待更正后再导入',
    'run.writing': '正在写入 {done} / {total} 行',
    'run.checking': '正在检查 {done} / {total} 行，可以关闭窗口，结果会保留',
    'run.cancel': '取消导入',
    'run.cancelled': '导入已取消，没有写入任何数据',
    'run.failed': '导入失败：{reason}',
    'run.blocked': '有误的行全部更正后才能导入，文件中的数据没有写入',
    'run.warnings': '提醒（不影响导入）',
    'run.warningRow': '第 {row} 行：{reason}',
    'run.done': '已导入：新增 {inserted} 行，更新 {updated} 行，跳过 {skipped} 行',
    'run.errors': '错误明细',
    'run.moreWarnings': '另有 {count} 条提醒，见错误工作簿',
  },
  {
    'run.partial': 'Import the correct rows only; mend the others and import them later',
    'run.writing': 'Writing {done} of {total} rows',
    'run.checking': 'Checking {done} of {total} rows; you may close this window, the result is kept',
    'run.cancel': 'Cancel the import',
    'run.cancelled': 'The import was cancelled; nothing was written',
    'run.failed': 'The import failed: {reason}',
    'run.blocked': 'Nothing can be imported until every row is correct; nothing was written',
    'run.warnings': 'Notes (they do not stop the import)',
    'run.warningRow': 'Row {row}: {reason}',
    'run.done': 'Imported: {inserted} added, {updated} updated, {skipped} skipped',
    'run.errors': 'Errors',
    'run.moreWarnings': '{count} more notes are in the error workbook',
  },
)
