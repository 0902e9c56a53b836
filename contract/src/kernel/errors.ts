import type { Label } from './label.ts'
import { defineErrors, type Refusal, refuserOf } from './refusal.ts'

/** Refusals any route may give. Numbers below 2000 mirror the HTTP status, 2001–2004 and 28xx are domain 13.2. */
export const kernelErrors = defineErrors({
  'kernel/invalid-input': { code: 400, status: 400, zh: '请求参数有误', en: 'The request is not valid' },
  'kernel/unreadable-body': { code: 400, status: 400, zh: '请求内容无法解析', en: 'The request body cannot be read' },
  'kernel/no-token': { code: 401, status: 401, zh: '缺失令牌，鉴权失败', en: 'No token was sent' },
  'kernel/bad-token': { code: 401, status: 401, zh: '请求未授权', en: 'The token is not valid or has expired' },
  'kernel/forbidden': { code: 403, status: 403, zh: '没有权限执行此操作', en: 'You are not permitted to do this' },
  'kernel/password-due': {
    code: 403,
    status: 403,
    zh: '这是一次性密码，请退出后重新登录，按提示改为自己的密码',
    en: 'This is a one-time password: log out and in again, and you are asked for your own',
  },
  'kernel/out-of-scope': {
    code: 403,
    status: 403,
    zh: '这条记录会超出您的数据范围，不能保存',
    en: 'This row would lie outside the data you may see, so it cannot be saved',
  },
  'kernel/whole-needed': {
    code: 403,
    status: 403,
    zh: '这项操作涉及您数据范围以外的记录，不能执行',
    en: 'This would touch rows outside the data you may see, so it cannot be done',
  },
  'kernel/field-unsearchable': {
    code: 403,
    status: 403,
    zh: '您的角色看不到{fields}的完整内容，不能按它搜索或排序',
    en: 'Your role does not see this in full, so it cannot be searched or sorted by: {fields}',
  },
  'kernel/exports-stopped': {
    code: 2801,
    status: 429,
    zh: '您近期的导出远超平常，已暂停导出，请联系审计员或安全管理员',
    en: 'You have exported far more than usual; exports are stopped, please ask the auditor or the security administrator',
  },
  'kernel/field-closed': {
    code: 403,
    status: 403,
    zh: '您的角色看不到{fields}的完整内容，不能修改；请从提交内容中去掉后重试',
    en: 'Your role does not see this in full, so it cannot change it; leave it out and try again: {fields}',
  },
  'kernel/field-told': {
    code: 403,
    status: 403,
    zh: '这项操作涉及完整的{fields}，您的角色看不到这些信息，不能执行',
    en: 'This shows or takes in full what your role does not see in full, so it is closed to you: {fields}',
  },
  'kernel/not-found': { code: 404, status: 404, zh: '记录不存在', en: 'No such record' },
  'kernel/no-route': { code: 404, status: 404, zh: '请求的地址不存在', en: 'No such address' },
  'kernel/method': {
    code: 405,
    status: 405,
    zh: '此地址不支持 {method} 请求，可用的请求方法：{allow}',
    en: 'This address does not take {method}; it takes {allow}',
  },
  'kernel/crypto-key': {
    code: 400,
    status: 400,
    zh: '加密密钥无效或不属于本次登录，请重新协商密钥后重试',
    en: 'The encryption key is not known or belongs to another session; agree on a new one and try again',
  },
  'kernel/crypto-call': {
    code: 400,
    status: 400,
    zh: '加密请求无法解开：内容被改动、重复发送或格式不符，请重新发送',
    en: 'The encrypted call cannot be opened: it was changed, sent twice or is not encrypted as a whole; send it anew',
  },
  'kernel/media-type': {
    code: 415,
    status: 415,
    zh: '不支持的请求内容类型，请用 application/json',
    en: 'This content type is not supported; send application/json',
  },
  'kernel/too-large': { code: 413, status: 413, zh: '上传内容超过大小限制', en: 'The upload is larger than allowed' },
  'kernel/headers-too-large': {
    code: 431,
    status: 431,
    zh: '请求头或地址过长（上限 16 KB），请缩短地址，或清除本站的 Cookie 后重试',
    en: 'The headers or the address are too long (16 KB are taken); shorten the address or clear the cookies of this site and try again',
  },
  'kernel/not-http': {
    code: 400,
    status: 400,
    zh: '收到的内容不是有效的 HTTP 请求，请检查请求行、请求头和长度',
    en: 'What arrived is not a valid HTTP request; check its first line, its headers and its length',
  },
  'kernel/too-slow': {
    code: 408,
    status: 408,
    zh: '请求没有在规定时间内发送完，请检查网络后重试',
    en: 'The request was not sent in time; check the network and try again',
  },
  'kernel/bad-address': {
    code: 400,
    status: 400,
    zh: '请求地址无法识别：百分号编码不正确，或其中一段过长',
    en: 'The address cannot be read: its percent codes are wrong, or a part of it is too long',
  },
  'kernel/session-locked': { code: 423, status: 423, zh: '会话已锁定，请先解锁', en: 'The session is locked; unlock it first' },
  'kernel/busy': { code: 429, status: 429, zh: '系统繁忙，请稍后重试', en: 'The system is busy; please try again shortly' },
  'kernel/defect': { code: 500, status: 500, zh: '系统错误', en: 'System error' },
  'kernel/idempotency-mismatch': {
    code: 422,
    status: 422,
    zh: '重复提交的内容与首次不一致',
    en: 'The repeated request differs from the first one',
  },
  'kernel/idempotency-running': {
    code: 409,
    status: 409,
    zh: '同一请求正在处理中，请稍后用同一请求标识（Idempotency-Key）再次查询',
    en: 'The same request is still being worked on; ask again in a moment with the same Idempotency-Key',
  },
  'kernel/clock-off': {
    code: 2009,
    status: 503,
    zh: '服务器时钟与数据库相差超过 1 秒，暂停受理提交；请稍后重试，您填写的内容不会丢失',
    en: 'The clock of the server differs from the database’s by more than a second, so nothing is taken for now; try again shortly, what you entered is kept',
  },
  'kernel/no-database': {
    code: 2010,
    status: 503,
    zh: '系统正在切换数据库，请过几秒再试；已提交的内容不会丢失',
    en: 'The database is changing over; please try again in a moment, nothing is lost',
  },
  'kernel/waiting-room': {
    code: 2012,
    status: 503,
    zh: '当前访问人数较多，已为您排队：前面还有 {ahead} 人，{wait}。请保留此页面，轮到时自动继续',
    en: 'Many people are here at once, and you have a place in the queue: {ahead} before you, {wait}. Keep this page open; it goes on by itself',
  },
  'kernel/outcome-unknown': {
    code: 2007,
    status: 503,
    zh: '连接中断，无法确定操作是否已完成；请用同一请求标识（Idempotency-Key）再次提交，或刷新核对后再操作',
    en: 'The link was lost, so it is not known whether this was done; ask again with the same Idempotency-Key, or refresh and look before you go on',
  },
  'kernel/outcome-lost': {
    code: 2008,
    status: 409,
    zh: '同一请求此前已开始处理但没有留下结果，系统不会重复执行；请刷新核对后再重新操作',
    en: 'The same request was begun before and left no answer, so it is not run again; refresh, look, and begin anew',
  },
  'kernel/not-supported': { code: 2001, status: 409, zh: '不支持的操作', en: 'This operation is not supported' },
  'kernel/changed-meanwhile': {
    code: 2002,
    status: 409,
    zh: '数据已被他人修改，请刷新后重试',
    en: 'Somebody else changed this; refresh and try again',
  },
  'kernel/frozen': {
    code: 2003,
    status: 409,
    zh: '已发布，字段已冻结：{fields}',
    en: 'Published; these fields can no longer change: {fields}',
  },
  'kernel/in-use': { code: 2004, status: 409, zh: '已被使用，不能删除：{what}', en: 'In use, so it cannot be deleted: {what}' },
  'kernel/duplicate': { code: 400, status: 400, zh: '{what}已存在', en: '{what} exists already' },
  'kernel/select-one': { code: 400, status: 400, zh: '请选择至少一条数据', en: 'Select at least one row' },
  'kernel/too-many': { code: 400, status: 400, zh: '一次最多处理 {limit} 条', en: 'At most {limit} at a time' },
  'kernel/too-many-to-compare': {
    code: 400,
    status: 400,
    zh: '此条件要逐行比较，最多 {most} 行，请先用其他条件缩小范围',
    en: 'This condition is compared row by row, with {most} rows at most; narrow the search by another one first',
  },
  'kernel/page-depth': { code: 400, status: 400, zh: '翻页过深，请缩小查询范围', en: 'The page is too deep; narrow the search' },
  'kernel/file-kind': {
    code: 2802,
    status: 422,
    zh: '文件类型或大小不符：{detail}',
    en: 'The file type or size is not accepted: {detail}',
  },
  'kernel/storage': {
    code: 2804,
    status: 503,
    zh: '文件暂时无法存取（{why}），已填写的内容不会丢失，请稍后重试；持续出现请联系管理员',
    en: 'Files cannot be stored or read for now ({why}). What you entered is kept: try again later, and tell the administrator if it goes on',
  },
  'kernel/file-link': { code: 2803, status: 403, zh: '文件链接已失效', en: 'The file link is no longer valid' },
})
export const refuse = refuserOf(kernelErrors)

/** One field of the input is wrong: the form marks it with the text, which is also the message of the whole. */
export const refuseField = (field: string, text: Label): Refusal => ({
  ...refuse('kernel/invalid-input', {}, { data: { fields: [{ field, msg: text }] } }),
  text,
})
