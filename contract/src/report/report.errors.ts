import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Reports, their runs and what is sent of them. */
export const reportErrors = defineErrors({
  'report/design': { code: 400, status: 400, zh: '报表设计有误：{problem}', en: 'The report cannot be run: {problem}' },
  'report/data-set-closed': {
    code: 403,
    status: 403,
    zh: '您没有查看“{dataSet}”数据的权限，请联系管理员',
    en: 'You may not see figures of “{dataSet}”: ask your administrator',
  },
  'report/needs-mending': {
    code: 2001,
    status: 409,
    zh: '报表“{report}”需要修改后才能运行：{problem}',
    en: 'The report “{report}” needs mending before it runs: {problem}',
  },
  'report/too-many-cells': {
    code: 400,
    status: 400,
    zh: '结果超过 {limit} 格，请增加筛选条件或减少行、列',
    en: 'The result has more than {limit} cells: add a filter, or take a row or column away',
  },
  'report/too-slow': {
    code: 2001,
    status: 409,
    zh: '数据较多，不能即时预览；请保存后点“运行”，在后台生成并查看进度',
    en: 'There is too much data to preview at once: save the report and run it in the background, where you see its progress',
  },
  'report/not-owner': {
    code: 403,
    status: 403,
    zh: '只有创建人“{owner}”能修改这个报表，请另存为自己的报表',
    en: 'Only “{owner}”, who made this report, can change it: save it as one of your own',
  },
  'report/name-taken': { code: 2001, status: 409, zh: '已有名为“{report}”的报表', en: 'There is a report named “{report}” already' },
  'report/too-many': { code: 2001, status: 409, zh: '报表最多 {limit} 个', en: 'There can be {limit} reports at most' },
  'report/unknown-role': { code: 400, status: 400, zh: '选择的角色不存在，请重新选择', en: 'A chosen role does not exist: choose again' },
  'report/unfit-people': {
    code: 400,
    status: 400,
    zh: '以下人员不能接收：{people}。接收人须能登录并有查看“{dataSet}”数据的权限',
    en: 'These cannot be sent it: {people}. Whoever is sent it must be able to log in and may see figures of “{dataSet}”',
  },
  'report/narrow-people': {
    code: 400,
    status: 400,
    zh: '以下人员的数据范围比您小，不能接收：{people}。报表按您的数据范围统计，接收人须能看到同样的数据',
    en: 'These see less than you do and cannot be sent it: {people}. The report counts what you may see, so whoever is sent it must see all of that',
  },
  'report/too-many-parts': {
    code: 400,
    status: 400,
    zh: '您只有统计数字的权限：行、列与筛选条件（考试除外）合计最多 {limit} 项，请减少一项',
    en: 'You see figures but no rows: rows, columns and filters, save examinations, are {limit} together at most. Take one away',
  },
  'report/no-people': { code: 400, status: 400, zh: '请选择接收人', en: 'Choose whom it is sent to' },
  'report/schedule': {
    code: 400,
    status: 400,
    zh: '时间表达式有误：{problem}。例如每天 20:30 写作 0 30 20 * * ?',
    en: 'The times are wrong: {problem}. Every day at 20:30 is 0 30 20 * * ?',
  },
  'report/too-many-open': {
    code: 2503,
    status: 409,
    zh: '您有 {count} 次运行尚未完成，请稍后再试',
    en: '{count} of your runs are not finished: please wait for one of them',
  },
  'report/run-over': { code: 2201, status: 409, zh: '这次运行已经结束', en: 'This run is over' },
  'report/run-not-ready': { code: 2201, status: 409, zh: '这次运行还没有结果', en: 'This run has no result yet' },
  'report/too-long-to-print': {
    code: 400,
    status: 400,
    zh: '超过 {limit} 行，不适合打印，请导出工作簿',
    en: 'There are more than {limit} rows, too many to print: take the workbook',
  },
  'report/unprintable': {
    code: 400,
    status: 400,
    zh: '字体中没有这些字，不能生成 PDF：{characters}；请导出工作簿',
    en: 'No font has these characters, so there is no PDF: {characters}. Take the workbook',
  },
  'report/run-expired': { code: 2803, status: 403, zh: '链接已过期，请联系发送人', en: 'The link has expired: ask whoever sent it' },
  'report/rules-changed': {
    code: 403,
    status: 403,
    zh: '您的权限或数据范围在这次运行之后有变化，请重新运行',
    en: 'What you may see has changed since this run: run the report again',
  },
})
export const refuseReport = refuserOf(reportErrors)
