import { defineTexts } from '#web/kernel/i18n/index.ts'

/** Names of pages that the first screen does not carry. */
export const comingTexts = defineTexts(
  {
    'notices.title': '公告',
    'publicity.title': '公示',
    'news.title': '新闻',
    'selection.title': '复审与聘用',
    'adjust.title': '岗位改报',
  },
  {
    'notices.title': 'Announcements',
    'publicity.title': 'Public notices',
    'news.title': 'News',
    'selection.title': 'Re-review and hire',
    'adjust.title': 'Change of post',
  },
)
