import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Numbers of domain 13.2, statuses of decision 3.3. */
export const examErrors = defineErrors({
  'exam/no-exam': { code: 404, status: 404, zh: '考试不存在', en: 'There is no such examination' },
  'exam/not-open': { code: 2101, status: 409, zh: '考试未开放或已关闭', en: 'The examination is not open or has been closed' },
  'exam/read-only': { code: 2001, status: 409, zh: '考试{state}，不能修改', en: 'The examination is {state}; it can no longer be changed' },
  'exam/wrong-state': {
    code: 2001,
    status: 409,
    zh: '考试当前为{state}，不能执行此操作',
    en: 'Not possible while the examination is {state}',
  },
  'exam/frozen': {
    code: 2003,
    status: 409,
    zh: '已发布，字段已冻结：{fields}',
    en: 'Published; these fields can no longer change: {fields}',
  },
  'exam/shortened': {
    code: 2003,
    status: 409,
    zh: '考试已发布，结束时间可以延后；提前时新的结束时间须在 24 小时之后：{fields}',
    en: 'The examination is released: a window may end later, or earlier if that is more than 24 hours away: {fields}',
  },
  'exam/has-signups': { code: 2004, status: 409, zh: '已有考生报名，不能{what}', en: 'Candidates have signed up; it cannot be {what}' },
  'exam/not-ready': { code: 2005, status: 422, zh: '发布检查未通过，共 {count} 处', en: 'Not ready for release: {count} problems' },
  'exam/breaks-release': {
    code: 2005,
    status: 422,
    zh: '考试已发布，此修改会使发布条件不再满足：{problems}',
    en: 'The examination is released and must stay fit for release: {problems}',
  },
  'exam/reason-required': { code: 400, status: 400, zh: '请填写原因', en: 'Please give a reason' },
  'exam/confirm-code': {
    code: 400,
    status: 400,
    zh: '报名尚未结束，请输入考试编码确认',
    en: 'Sign-up is still open; type the code of the examination to confirm',
  },
  'exam/paper-used': {
    code: 2004,
    status: 409,
    zh: '科目 {code} 被 {count} 个岗位使用，不能删除；请先在岗位代码中去掉该科目',
    en: 'Paper {code} is used by {count} posts and cannot be deleted: take it out of the posts first',
  },
  'exam/results-out': {
    code: 2003,
    status: 409,
    zh: '成绩已发布，不能修改：{fields}；请先撤回成绩发布',
    en: 'The results are out; withdraw their release before you change: {fields}',
  },
  'exam/overlap': { code: 2003, status: 409, zh: '科目时间重叠：{papers}', en: 'Papers overlap in time: {papers}' },
  'import/empty': { code: 2501, status: 422, zh: '文件为空或没有数据行', en: 'The file is empty or has no rows' },
  'import/too-many-rows': { code: 2501, status: 422, zh: '超过最大行数 {limit}', en: 'More than {limit} rows' },
  'import/unreadable': { code: 2501, status: 422, zh: '文件无法读取：{detail}', en: 'The file cannot be read: {detail}' },
  'import/header': { code: 2502, status: 422, zh: '模板表头不符：{detail}', en: 'The header does not match the template: {detail}' },
  'import/running': { code: 2503, status: 409, zh: '同类导入正在进行，请稍候', en: 'An import of this kind is already running' },
  'import/invalid': {
    code: 2504,
    status: 422,
    zh: '导入校验未通过，{failed} 行有误',
    en: 'The import was not accepted: {failed} rows are wrong',
  },
  'import/asks': {
    code: 2504,
    status: 409,
    zh: '文件中的 {count} 行需要确认，请逐行或全部确认后再导入',
    en: '{count} rows of the file ask to be confirmed: confirm some or all of them and import again',
  },
  'import/no-file': { code: 400, status: 400, zh: '请选择要导入的文件', en: 'Choose the file to import' },
  'import/ended': { code: 2001, status: 409, zh: '该导入已结束', en: 'This import has ended' },
  'import/no-reach': {
    code: 2001,
    status: 409,
    zh: '该导入由旧版本发起，没有记录数据范围，请重新导入',
    en: 'This import was ordered by an earlier version that kept no reach; please start it again',
  },
  'import/policy': { code: 2001, status: 409, zh: '此导入不允许只导入正确行', en: 'This import is all or nothing' },
})
export const refuseExam = refuserOf(examErrors)
