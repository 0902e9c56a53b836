import { defineErrors, refuserOf } from '../kernel/refusal.ts'

/** Refusals about notices and news (domain 13.2). */
export const newsErrors = defineErrors({
  'news/withdrawn': {
    code: 410,
    status: 410,
    zh: '“{title}”已于 {time} 下架，不再公布。如有疑问，请查看最新公告或联系发布单位{contact}',
    en: '“{title}” was withdrawn on {time} and is no longer published. See the latest notices, or ask the office that published it{contact}',
  },
  'news/not-draft': {
    code: 2003,
    status: 409,
    zh: '“{title}”{state}，不能修改；请先下架，再改为草稿',
    en: '“{title}” is {state} and cannot be changed: withdraw it first, then make it a draft again',
  },
  'news/state': {
    code: 2201,
    status: 409,
    zh: '“{title}”现在是{state}，不能{event}，请刷新后重试',
    en: '“{title}” is {state} now, so it cannot be {event}; reload and try again',
  },
  'news/kept': {
    code: 2004,
    status: 409,
    zh: '“{title}”发布过，须保留；可以下架，不能删除',
    en: '“{title}” has been published and is kept: it can be withdrawn, not removed',
  },
  'news/someone-elses': {
    code: 403,
    status: 403,
    zh: '只能修改和删除自己起草的公告',
    en: 'You can change and remove only drafts of your own',
  },
  'news/results-not-released': {
    code: 2403,
    status: 409,
    zh: '成绩尚未发布，不能生成公示名单：{papers}',
    en: 'The results are not released, so no list can be made from them: {papers}',
  },
  'news/empty-list': {
    code: 2501,
    status: 409,
    zh: '没有人符合该名单的条件，未生成公示',
    en: 'Nobody belongs to this list, so no notice was made',
  },
  'news/reminded': {
    code: 2703,
    status: 409,
    zh: '今天已经提醒过，请明天再提醒',
    en: 'They were reminded today already; remind again tomorrow',
  },
  'news/text-changed': {
    code: 2002,
    status: 409,
    zh: '“{title}”已更正，您看到的是旧内容；请刷新后重新阅读并确认',
    en: '“{title}” was corrected and you see the former text: reload, read it again and confirm it',
  },
  'news/not-addressed': {
    code: 2001,
    status: 409,
    zh: '公开且不需确认的公告没有应读人，不能提醒',
    en: 'A public notice that nobody has to confirm is addressed to nobody, so there is nobody to remind',
  },
})
export const refuseNews = refuserOf(newsErrors)
