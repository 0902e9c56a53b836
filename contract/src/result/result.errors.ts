import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Refusals about results; numbers of domain 13.2. */
export const resultErrors = defineErrors({
  'result/released': { code: 2401, status: 409, zh: '成绩已发布，不可导入', en: 'The results are released; nothing can be imported' },
  'result/released-delete': { code: 2401, status: 409, zh: '成绩已发布，不可删除', en: 'The results are released; nothing can be deleted' },
  'result/same-person': { code: 2402, status: 409, zh: '导入人与发布人不能相同', en: 'Who imported the results may not release them' },
  'result/same-corrector': {
    code: 2402,
    status: 409,
    zh: '更正的提出人与确认人不能相同',
    en: 'Who proposed the correction may not confirm it',
  },
  'result/not-released': { code: 2403, status: 409, zh: '成绩尚未发布', en: 'The results are not released yet' },
  'result/no-root': {
    code: 2403,
    status: 409,
    zh: '该成绩发布时尚未公布核验值，下次发布或更正后可核验',
    en: 'These scores were released before roots were published; they can be checked after the next release or correction',
  },
  'result/in-check': {
    code: 2403,
    status: 409,
    zh: '成绩核对中，请稍后查看',
    en: 'The results are being checked; please look again later',
  },
  'result/not-over': {
    code: 2201,
    status: 409,
    zh: '科目 {paper} 于 {time} 结束，结束前不能导入、更正或发布成绩',
    en: 'Paper {paper} ends at {time}; before that no results can be imported, corrected or released',
  },
  'result/confirm-code': {
    code: 400,
    status: 400,
    zh: '请输入本场考试的考试编码以确认发布',
    en: 'Type the code of this examination to confirm the release',
  },
  'result/confirm-withdraw': {
    code: 400,
    status: 400,
    zh: '请输入本场考试的考试编码以确认撤回',
    en: 'Type the code of this examination to confirm the withdrawal',
  },
  'result/not-imported': { code: 2201, status: 409, zh: '科目 {paper} 没有可发布的成绩', en: 'Paper {paper} has no results to release' },
  'result/incomplete': {
    code: 2201,
    status: 409,
    zh: '科目 {paper} 还有 {count} 名持准考证考生没有成绩',
    en: 'Paper {paper}: {count} people with a ticket have no result yet',
  },
  'result/not-out': { code: 2201, status: 409, zh: '科目 {paper} 的成绩未发布', en: 'The results of paper {paper} are not released' },
  'result/correction-waiting': {
    code: 2201,
    status: 409,
    zh: '该成绩已有待确认的更正',
    en: 'A correction of this result is waiting already',
  },
  'result/correction-done': { code: 2201, status: 409, zh: '该更正已处理', en: 'This correction was decided already' },
  'result/recheck-none': {
    code: 2001,
    status: 409,
    zh: '本次考试没有开放成绩复查',
    en: 'Scores of this examination cannot be asked about',
  },
  'result/recheck-closed': {
    code: 2102,
    status: 409,
    zh: '成绩复查申请时间为 {begin} 至 {end}，现在不能申请',
    en: 'Scores can be asked about from {begin} until {end}, not now',
  },
  'result/recheck-asked': {
    code: 2201,
    status: 409,
    zh: '科目 {paper} 已申请过复查，每科只能申请一次',
    en: 'You have asked about {paper} already; each paper can be asked about once',
  },
  'result/recheck-answered': { code: 2201, status: 409, zh: '该复查申请已答复', en: 'This request was answered already' },
  'result/recheck-uncorrected': {
    code: 2201,
    status: 409,
    zh: '申请之后没有生效的成绩更正，不能答复“已更正”；请先更正成绩并由另一人确认',
    en: 'No correction has taken effect since the request; correct the score and have it confirmed before you answer that it was',
  },
  'result/recheck-corrected': {
    code: 2201,
    status: 409,
    zh: '申请之后成绩已更正，不能答复“无误”',
    en: 'The score was corrected since the request; you cannot answer that it stands',
  },
  'result/reason': { code: 400, status: 400, zh: '请填写原因', en: 'Please give a reason' },
  'result/score': { code: 400, status: 400, zh: '{detail}', en: '{detail}' },
})
export const refuseResult = refuserOf(resultErrors)
