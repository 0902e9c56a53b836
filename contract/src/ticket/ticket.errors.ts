import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Refusals about seats and tickets (domain 13.2). */
export const ticketErrors = defineErrors({
  'ticket/exam-state': { code: 2101, status: 409, zh: '考试未发布或已关闭', en: 'The examination is not open' },
  'ticket/mode': {
    code: 2001,
    status: 409,
    zh: '目前只支持随机编排（random）',
    en: 'Only the random mode of allocation is offered',
  },
  'ticket/interview-by-import': {
    code: 2001,
    status: 409,
    zh: '面试分组由导入产生，不参加自动编排：{items}',
    en: 'Interview groups come from an import and are not allocated automatically: {items}',
  },
  'ticket/layout': { code: 2001, status: 409, zh: '目前只支持打印准考证版式', en: 'Only the ticket layout can be printed' },
  'ticket/rooms': { code: 422, status: 422, zh: '考场设置有误：{rooms}', en: 'The rooms are not usable: {rooms}' },
  'ticket/nobody': { code: 2303, status: 409, zh: '没有符合条件的考生', en: 'Nobody is eligible' },
  'ticket/shortage': { code: 2301, status: 409, zh: '座位不足，还差 {shortage} 个', en: 'Not enough seats: {shortage} more are needed' },
  'ticket/released': { code: 2302, status: 409, zh: '已发布，不能重新编排', en: 'Released, so it cannot be allocated again' },
  'ticket/made': {
    code: 2302,
    status: 409,
    zh: '已编排，请先清除后再重新编排：{items}',
    en: 'Already allocated; clear it before allocating again: {items}',
  },
  'ticket/pending': {
    code: 2303,
    status: 409,
    zh: '仍有 {pending} 份报名未审核',
    en: '{pending} sign-ups have not been examined yet',
  },
  'ticket/rendering': {
    code: 2304,
    status: 409,
    zh: '准考证生成未完成（{done}/{total}）',
    en: 'The tickets are not ready yet ({done} of {total})',
  },
  'ticket/not-made': { code: 2304, status: 409, zh: '尚未编排：{items}', en: 'Not allocated yet: {items}' },
  'ticket/seat-taken': { code: 2305, status: 409, zh: '座位冲突，该座位已有考生', en: 'The seat is taken' },
  'ticket/no-such-seat': { code: 2305, status: 409, zh: '座位冲突，该考场没有这个座位', en: 'The room has no such seat' },
  'ticket/not-released': { code: 2306, status: 409, zh: '准考证未发布', en: 'The ticket has not been released' },
  'ticket/window': {
    code: 2307,
    status: 409,
    zh: '不在下载时间（{begin} 至 {end}）',
    en: 'Tickets can be downloaded from {begin} to {end}',
  },
  'ticket/read-notice': { code: 2308, status: 409, zh: '请先阅读须知', en: 'Please read the notice first' },
  'ticket/upload-health': { code: 2309, status: 409, zh: '请先上传防疫材料', en: 'Please upload the health documents first' },
  'ticket/no-upload': { code: 400, status: 400, zh: '本次考试没有要求上传这些材料', en: 'The notice does not ask for these documents' },
  'ticket/void': { code: 2310, status: 409, zh: '准考证已作废', en: 'The ticket is void' },
  'ticket/glyphs': {
    code: 2311,
    status: 409,
    zh: '{count} 名考生的姓名含无法打印的字',
    en: 'The names of {count} people contain characters that cannot be printed',
  },
  'ticket/not-eligible': { code: 2312, status: 409, zh: '不具备考试资格', en: 'Not eligible for this examination' },
  'ticket/reason': { code: 400, status: 400, zh: '请填写原因', en: 'Please give the reason' },
  'ticket/confirm': {
    code: 400,
    status: 400,
    zh: '请输入考试代码 {examCode} 确认',
    en: 'Type the examination code {examCode} to confirm',
  },
  'ticket/too-many': {
    code: 400,
    status: 400,
    zh: '一次最多打印 {limit} 张，请按考场分批打印',
    en: 'At most {limit} tickets at a time; print room by room',
  },
  'ticket/busy': { code: 429, status: 429, zh: '打印任务较多，请稍后再试', en: 'Many tickets are being printed; please try again shortly' },
})
export const refuseTicket = refuserOf(ticketErrors)
